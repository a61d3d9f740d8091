// Small comforts of the desk on top of pages that work without them.

// A tick that could not be saved goes back to what it was, and the page says so.
function takeBack(event) {
  const notice = document.querySelector("[data-not-saved]");
  const box = event.detail.requestConfig.elt;
  if (!notice || box.type !== "checkbox") return;
  box.checked = !box.checked;
  notice.hidden = false;
}

for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(failure, takeBack);
}

document.addEventListener("htmx:beforeSwap", (event) => {
  // A refusal is an answer, not a fault of the program.
  if (event.detail.xhr.status !== 409) return;
  event.detail.isError = false;
  takeBack(event);
});

// A menu closes by Escape, and by a press beside it.
const openMenus = () => document.querySelectorAll(".menu[open]");

document.addEventListener("click", (event) => {
  for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
    menu.open = false;
  }
});

// Central entry by keyboard: after each deal the hands are at the start of the next line.
const entry = document.querySelector("#entry form");
if (entry && !document.querySelector("[data-focus]") && matchMedia("(pointer: fine)").matches) {
  const chosen = entry.querySelector('[name="declarer"]:checked');
  (chosen ?? entry.querySelector('[name="declarer"]'))?.focus();
}

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

// What a hand is busy with outlives the renewal of a live page: the menu that is open, what has the
// focus. While something is pressed the page waits, or the press would fall between two pages.
let pressed = false;
let held = null;

for (const kind of ["pointerdown", "pointerup", "pointercancel"]) {
  addEventListener(kind, () => { pressed = kind === "pointerdown"; }, { capture: true });
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, xhr } = event.detail;
  // A refusal is an answer, not a fault of the program.
  if (xhr.status === 409) {
    event.detail.isError = false;
    takeBack(event);
  }
  const etag = xhr.getResponseHeader("ETag");
  if (!etag || !target.dataset.etag) return;
  // A live page whose content is still the same is left alone.
  if (target.dataset.etag === etag || pressed) event.detail.shouldSwap = false;
  const open = [...target.querySelectorAll("details[id][open]")].map(({ id }) => id);
  held = { open, focus: target.contains(document.activeElement) && document.activeElement.id };
});

document.addEventListener("htmx:afterSwap", () => {
  for (const id of held?.open ?? []) document.getElementById(id)?.setAttribute("open", "");
  if (held?.focus) document.getElementById(held.focus)?.focus({ preventScroll: true });
  held = null;
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

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
  const { target, xhr } = event.detail;
  // A refusal is an answer, not a fault of the program.
  if (xhr.status === 409) {
    event.detail.isError = false;
    takeBack(event);
  }
  // A live page whose content is still the same is left alone, focus and all.
  const etag = xhr.getResponseHeader("ETag");
  if (etag && target.dataset.etag === etag) event.detail.shouldSwap = false;
});

// Central entry by keyboard: after each deal the hands are at the start of the next line.
const entry = document.querySelector("#entry form");
if (entry && !document.querySelector("[data-focus]") && matchMedia("(pointer: fine)").matches) {
  const chosen = entry.querySelector('[name="declarer"]:checked');
  (chosen ?? entry.querySelector('[name="declarer"]'))?.focus();
}

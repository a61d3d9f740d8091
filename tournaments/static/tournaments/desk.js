// Small comforts of the desk on top of pages that work without them.

// A tick that could not be saved goes back to what it was, and the page says so.
function takeBack(event) {
  const notice = document.querySelector("[data-not-saved]");
  const box = event.detail.elt;
  if (!notice || box.type !== "checkbox") return;
  box.checked = !box.checked;
  notice.hidden = false;
}

for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(failure, takeBack);
}

// A live page whose content is still the same is left alone, focus and all.
document.addEventListener("htmx:beforeSwap", (event) => {
  const live = event.detail.target;
  const etag = event.detail.xhr.getResponseHeader("ETag");
  if (live?.dataset.etag && etag && live.dataset.etag === etag) event.detail.shouldSwap = false;
});

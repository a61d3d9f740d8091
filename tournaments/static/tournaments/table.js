// The table's page asks for news; the answer "nothing new" must leave it as it is.

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.xhr.status === 304) event.detail.shouldSwap = false;
});

// The table's page asks for news; the answer "nothing new" must leave it as it is.

const LINK_IS_OVER = [403, 404, 410];

document.addEventListener("htmx:beforeSwap", (event) => {
  const { status } = event.detail.xhr;
  if (status === 304) event.detail.shouldSwap = false;
  if (LINK_IS_OVER.includes(status)) {
    event.detail.isError = false;
    location.reload(); // the page itself says what happened
  }
});

// Brings the live part of an evening up to date in place: what stays the same is not touched, so
// that focus, scroll and what somebody typed stay where they are.

function same(one, other) {
  return one.nodeName === other.nodeName && (one.id ?? "") === (other.id ?? "");
}

function updateAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "hidden") old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

function updateChildren(old, fresh) {
  let next = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const moved = child.id ? old.querySelector(`:scope > #${CSS.escape(child.id)}`) : null;
    const match = moved ?? (next && same(next, child) ? next : null);
    if (match === next && match) next = next.nextSibling;
    else old.insertBefore(match ?? child, next);
    if (match) update(match, child);
  }
  while (next) {
    const gone = next;
    next = next.nextSibling;
    gone.remove();
  }
}

function update(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  updateAttributes(old, fresh);
  updateChildren(old, fresh);
}

function swapInPlace(target, fragment) {
  const focused = document.activeElement;
  update(target, fragment.querySelector(`#${target.id}`));
  if (focused.isConnected) focused.focus({ preventScroll: true });
  const filter = target.querySelector("[data-filter]");
  if (filter?.value) filter.dispatchEvent(new Event("input", { bubbles: true }));
}

window.htmx.defineExtension("in-place", {
  onEvent(name, event) {
    // 304: nothing has changed.
    if (name === "htmx:beforeSwap" && event.detail.xhr.status === 304) {
      event.detail.shouldSwap = false;
    }
  },
  isInlineSwap: (style) => style === "in-place",
  handleSwap(style, target, fragment) {
    if (style !== "in-place") return false;
    swapInPlace(target, fragment);
    return [target];
  },
});

// A page that nobody looks at asks for nothing; it asks as soon as it is looked at again.
document.addEventListener("htmx:beforeRequest", (event) => {
  const polls = event.detail.elt.getAttribute("hx-trigger")?.startsWith("every");
  if (polls && document.hidden) event.preventDefault();
});

// Sharing: what the phone offers itself, else a link that is copied.
for (const group of document.querySelectorAll("[data-share-url]")) {
  const own = group.querySelector("[data-share]");
  own.hidden = !navigator.share;
  for (const other of group.querySelectorAll("a[href^='https://wa.me/']")) other.hidden = !own.hidden;
  group.querySelector("[data-copy]").hidden = !own.hidden;
  own.addEventListener("click", () => {
    const { shareTitle: title, shareText: text, shareUrl: url } = group.dataset;
    // Who closes the choice again shares nothing.
    navigator.share({ title, text, url }).catch(() => {});
  });
}

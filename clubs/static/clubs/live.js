// Keeps the parts of a page that change as they are on the server. A part says where it is asked for
// (data-poll), which version it is (data-tag), and how often (data-every, milliseconds); less often
// while there is nothing new (never slower than data-slowest), and not while nobody looks.

const QUIET = 120_000;
const STILL = 600_000;
const CALM = 6;
const PATIENCE = 8000;
const AGAIN_AFTER = 1000;

// While something is pressed the page waits, or the press would fall between two pages.
let isPressed = false;
for (const kind of ["pointerdown", "pointerup", "pointercancel"]) {
  addEventListener(kind, () => { isPressed = kind === "pointerdown"; }, { capture: true });
}

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

class LivePart {
  #id;
  #clock;
  #isAsking = false;
  #isAskedAgain = false;
  #news = "";
  #changedAt = Date.now();
  #failures = 0;
  // What the server asks for when it has much to do.
  #busy = 0;

  constructor({ id }) {
    this.#id = id;
    this.#news = this.#element?.dataset.news;
    document.addEventListener("visibilitychange", () => document.hidden || this.ask());
    this.#wait();
  }

  get #element() {
    return document.getElementById(this.#id);
  }

  async ask() {
    clearTimeout(this.#clock);
    const { poll, tag } = this.#element?.dataset ?? {};
    if (!poll || document.hidden) return;
    if (this.#isAsking) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isAsking = true;
    this.#isAskedAgain = false;
    await this.#hear(poll, tag);
    this.#isAsking = false;
    if (this.#isAskedAgain) this.ask();
    else this.#wait();
  }

  async #hear(poll, tag) {
    const headers = tag ? { "If-None-Match": tag } : {};
    const signal = AbortSignal.timeout(PATIENCE);
    const how = { headers, signal, cache: "no-store", redirect: "manual" };
    let answer;
    try {
      answer = await fetch(poll, how);
      if (answer.ok) this.#show(answer.headers, await answer.text());
      this.#busy = Number(answer.headers.get("Poll-Pause"));
    } catch {
      answer = null;
    }
    const isThere = answer && (answer.ok || answer.status === 304);
    this.#failures = isThere ? 0 : this.#failures + 1;
    const date = Date.parse(answer?.headers.get("Date") ?? "");
    tell("live:answer", { id: this.#id, status: answer?.status ?? 0, date });
  }

  #show(headers, text) {
    if (headers.get("HX-Refresh")) return location.reload();
    if (isPressed) return;
    const fresh = new DOMParser().parseFromString(text, "text/html").body;
    tell("live:before", { id: this.#id });
    if ("replaces" in this.#element.dataset) replaceParts(fresh);
    else updateInPlace(this.#element, fresh);
    const news = this.#element?.dataset.news;
    if (news === undefined || news !== this.#news) this.#changedAt = Date.now();
    this.#news = news;
    window.htmx?.process(this.#element);
    tell("live:changed", { id: this.#id });
  }

  #wait() {
    clearTimeout(this.#clock);
    const { poll, every, slowest } = this.#element?.dataset ?? {};
    if (!poll) return;
    const quiet = Date.now() - this.#changedAt;
    let pause = Number(every);
    if (quiet > QUIET) pause = Math.min(CALM * pause, slowest);
    if (quiet > STILL) pause = Number(slowest);
    if (this.#failures) pause = Math.max(pause, Math.min(AGAIN_AFTER * this.#failures, PATIENCE));
    this.#clock = setTimeout(() => this.ask(), Math.max(pause, this.#busy));
  }
}

// Each element of the answer takes the place of that of its name. What is read out when it changes
// stays where it is.
function replaceParts(fresh) {
  for (const part of [...fresh.children]) {
    const old = document.getElementById(part.id);
    if (old?.hasAttribute("aria-live")) old.replaceChildren(...part.childNodes);
    else old?.replaceWith(part);
  }
}

// What stays the same is not touched, so that focus, scroll, what is open and what somebody typed
// stay where they are.
export function updateInPlace(target, fragment) {
  const focused = document.activeElement;
  update(target, fragment.querySelector(`#${CSS.escape(target.id)}`));
  const again = focused.isConnected ? focused : document.getElementById(focused.id);
  again?.focus({ preventScroll: true });
  const filter = target.querySelector("[data-filter]");
  if (filter?.value) filter.dispatchEvent(new Event("input", { bubbles: true }));
}

const same = (one, other) => one.nodeName === other.nodeName && (one.id ?? "") === (other.id ?? "");

// What the hand of a reader changed, not the server.
const isReaders = (element, name) =>
  name === "hidden" || (name === "open" && element.nodeName === "DETAILS" && element.id);

function updateAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !isReaders(old, name)) old.removeAttribute(name);
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
  // What another script fills is its own affair.
  if (old.hasAttribute("data-kept")) return;
  updateAttributes(old, fresh);
  updateChildren(old, fresh);
}

const parts = new Map();
for (const element of document.querySelectorAll("[data-poll]")) {
  parts.set(element.id, new LivePart(element));
}

// Ask for a part now; nothing where the page has no such part.
export const askNow = (id) => parts.get(id)?.ask();

// Forms that htmx sends are shown in the same way.
window.htmx?.defineExtension("in-place", {
  isInlineSwap: (style) => style === "in-place",
  handleSwap(style, target, fragment) {
    if (style !== "in-place") return false;
    updateInPlace(target, fragment);
    return [target];
  },
});

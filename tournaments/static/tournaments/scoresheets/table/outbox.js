// What this phone wrote and the server does not show yet: kept, sent, changed while it waits.

import { newId } from "./ids.js";
import { isOfSheet } from "./ledger.js";
import { Queue } from "./queue.js";
import { Store } from "./store.js";

const KEPT_FOR = 12 * 60 * 60 * 1000;

// Whether an item that the server has stands on the page it sent, or will never stand there.
function isShown(item, data) {
  const { made_at: at, number, version } = item;
  if (Date.parse(at) < Date.now() - KEPT_FOR) return true;
  const line = data && isOfSheet(item, data) && data.lines.find((one) => one.number === number);
  return Boolean(line) && line.version >= version;
}

export class Outbox {
  #store = new Store();
  #queue;
  #changed;
  #tabs = "BroadcastChannel" in window ? new BroadcastChannel("klaverclub-outbox") : null;

  items = [];

  // `changed(answer)` is called whenever the items are others than before.
  constructor(changed) {
    this.#changed = changed;
    this.#queue = new Queue(this.#store, (answer) => this.#read(answer));
    this.#tabs?.addEventListener("message", () => this.#read(null, true));
  }

  // What waits survives a reload here.
  get isKept() {
    return this.#store.isKept;
  }

  get waiting() {
    return this.items.filter(({ state }) => state === "waiting");
  }

  async start() {
    await this.#read();
    this.flush();
  }

  flush() {
    return this.#queue.flush();
  }

  // Keep a deal as `line` of the sheet now is, and send it. One that nobody has sent yet is
  // replaced, so that what was put right at once leaves no trace.
  async write(data, line, item) {
    const before = this.#pending(data, line);
    const replace = (now) =>
      now.attempted || now.kind !== "write"
        ? undefined
        : { ...now, ...item, made_at: now.made_at, uuid: now.uuid };
    const replaced = before && (await this.#store.change(before.order, replace));
    if (!replaced) await this.#add(data, line, { kind: "write", ...item }, before);
    await this.#after();
  }

  // Take back what this line now says.
  async undo(data, line, device) {
    const before = this.#pending(data, line);
    const drop = (now) => (now.attempted || now.kind !== "write" ? undefined : null);
    const dropped = before && (await this.#store.change(before.order, drop));
    if (dropped !== null) {
      const fields = [["device", device]];
      await this.#add(data, line, { kind: "undo", url: `${line.url}undo/`, fields }, before);
    }
    await this.#after();
  }

  // Throw away what a person decided against, and what was to follow on it.
  async discard(item) {
    for (const one of [...this.following(item), item]) {
      await this.#store.change(one.order, () => null);
    }
    await this.#after();
  }

  // Send once more what was set aside.
  async retry({ order }) {
    await this.#store.change(order, (item) => ({ ...item, state: "waiting", answer: null }));
    await this.#after();
  }

  // What was written on top of an item that was set aside, in order.
  following({ uuid }) {
    const next = this.items.find(({ after }) => after === uuid);
    return next ? [next, ...this.following(next)] : [];
  }

  // Whether what waits of a line may have reached the server.
  isAttempted(data, line) {
    return Boolean(this.#pending(data, line)?.attempted);
  }

  // Forget what the server shows by now, and what is too old to be shown at all; only items in one
  // of these states.
  async forgetShown(data, states) {
    const shown = this.items.filter((one) => states.includes(one.state) && isShown(one, data));
    for (const { order } of shown) await this.#store.change(order, () => null);
    if (shown.length) await this.#read();
  }

  #pending(data, { number }) {
    return this.waiting.filter((item) => isOfSheet(item, data) && item.number === number).at(-1);
  }

  async #add({ sheet, side, round }, line, item, before) {
    await this.#store.add({
      url: line.url,
      uuid: newId(),
      sheet,
      side,
      round,
      number: line.number,
      seen_version: line.version,
      made_at: new Date().toISOString(),
      after: before?.uuid ?? null,
      state: "waiting",
      attempted: false,
      ...item,
    });
  }

  async #after() {
    await this.#read();
    this.flush();
  }

  async #read(answer = null, fromOtherTab = false) {
    this.items = await this.#store.all();
    if (!fromOtherTab) this.#tabs?.postMessage("changed");
    await this.#changed(answer);
  }
}

// Sends what waits, one at a time and in order, until the server has it all. What needs a person
// (a deal that stands otherwise, say) is set aside; the other deals go on.

import { answers } from "./reach.js";
import { send } from "./sender.js";

const LONGEST_PAUSE = 30_000;
const OTHER_TAB = 1_500;
const MOST_TURNS = 8;
const LOCK = "klaverclub-outbox";

const isWaiting = ({ state }) => state === "waiting";

// Whether an item has to wait for another one of the same deal that a person must look at.
const isHeld = (item, items) =>
  items.some(({ uuid, state }) => uuid === item.after && state !== "sent");

// `changed` is called after each answer with that answer, and without one when nothing came.
export class Queue {
  #store;
  #changed;
  #isBusy = false;
  #again = false;
  #failures = 0;
  #turnsLost = 0;
  #timer;

  constructor(store, changed) {
    this.#store = store;
    this.#changed = changed;
    addEventListener("online", () => this.flush());
    addEventListener("pageshow", () => this.flush());
    document.addEventListener("visibilitychange", () => this.flush());
  }

  // Send now, whatever the pause after the last attempt.
  async flush() {
    clearTimeout(this.#timer);
    this.#again = this.#isBusy;
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      this.#plan(await this.#takeTurn());
    } finally {
      this.#isBusy = false;
    }
    if (this.#again) await this.flush();
  }

  // Only one tab sends at a time, where the browser can tell. A tab that was put to sleep while it
  // was sending does not hold up the others: sending twice does no harm.
  #takeTurn() {
    if (!navigator.locks) return this.#sendAll();
    return navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => {
      this.#turnsLost = lock ? 0 : this.#turnsLost + 1;
      return lock || this.#turnsLost > MOST_TURNS ? this.#sendAll() : OTHER_TAB;
    });
  }

  #plan(pause) {
    if (pause) this.#timer = setTimeout(() => this.flush(), pause);
  }

  // In how many milliseconds to try again; 0 when nothing is left to send.
  async #sendAll() {
    for (;;) {
      const items = await this.#store.all();
      const next = items.find((item) => isWaiting(item) && !isHeld(item, items));
      if (!next) return 0;
      // A browser may call a wifi without the internet no network; only what answers counts.
      if (!navigator.onLine && !(await answers())) return this.#pauseAfterSilence();
      // From here on the server may have it, so it is no longer changed, only followed.
      const sending = await this.#store.change(next.order, (item) =>
        isWaiting(item) ? { ...item, attempted: true } : undefined,
      );
      if (!sending) continue;
      const answer = await send(sending);
      if (!answer) return this.#pauseAfterSilence();
      this.#failures = 0;
      await this.#settle(sending, answer);
      await this.#changed(answer);
    }
  }

  async #pauseAfterSilence() {
    await this.#changed(null);
    const pause = Math.min(LONGEST_PAUSE, 1000 * 2 ** this.#failures);
    this.#failures += 1;
    return pause * (0.75 + Math.random() / 4);
  }

  async #settle({ order, uuid }, answer) {
    const { state, version } = answer;
    const settled = { state, version, answer, answered_at: Date.now() };
    await this.#store.change(order, (item) =>
      isWaiting(item) ? { ...item, ...settled } : undefined,
    );
    if (answer.state !== "sent") return;
    // What follows on this item saw it as it now stands on the sheet.
    for (const item of await this.#store.all()) {
      if (item.after !== uuid) continue;
      await this.#store.change(item.order, (now) =>
        isWaiting(now) ? { ...now, seen_version: answer.version } : undefined,
      );
    }
  }
}

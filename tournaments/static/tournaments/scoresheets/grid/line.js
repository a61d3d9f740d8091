// One line of the grid: what stands on the sheet, what was typed, and how the two become the same.

import { newUuid, post } from "./send.js";
import { keep } from "./store.js";

const BOXES = ["declarer", "trump", "bid", "points_ns", "roem_ns", "points_ew", "roem_ew", "mark"];
const NO_TRUMP = 130;
const OTHER = { points_ns: "points_ew", points_ew: "points_ns" };

export class Line {
  // `sent` is what was sent and not answered yet; `refused` is what the server would not take.
  constructor(body, line, page) {
    this.body = body;
    this.page = page;
    this.number = line.number;
    this.sent = this.refused = null;
    this.isSending = false;
    const box = (name) => body.querySelector(`[name=deal${line.number}-${name}]`);
    this.names = BOXES.filter(box);
    this.boxes = Object.fromEntries(this.names.map((name) => [name, box(name)]));
    this.#believe(line);
    this.#wire();
    this.#fillOther();
    if (this.isWritten) this.#state("written");
  }

  get isTouched() {
    const typed = this.typed();
    return this.names.some((name) => typed[name] !== this.base[name]);
  }

  // Whether something was typed that is not on the sheet.
  get isPending() {
    return Boolean(this.sent) || this.isTouched;
  }

  // Whether Enter has something to do here.
  get isOpen() {
    return !this.isWritten && !this.sent && !this.body.hidden;
  }

  typed() {
    const text = (box) => box.value.trim().replace(/\s+/g, " ");
    return Object.fromEntries(this.names.map((name) => [name, text(this.boxes[name])]));
  }

  // Put back what was typed before a reload, and send again what was on its way.
  restore(draft) {
    this.#fill(draft.fields);
    this.version = draft.version;
    this.sent = draft.sent ?? null;
    this.changed();
    if (this.sent) this.send();
  }

  changed() {
    this.#fillOther();
    this.#askWhy();
    this.#keep();
    if (this.isTouched) this.#showResult(this.page.judge(this));
    else this.#showResult(this.line);
    if (!this.sent) this.#state(this.isTouched ? "typing" : this.isWritten ? "written" : "");
  }

  leave() {
    if (this.sent || !this.isTouched || this.standing) return;
    const fields = this.typed();
    if (JSON.stringify(fields) === this.refused) return;
    this.sent = { fields, version: this.version, uuid: newUuid(), why: this.#why() };
    this.#keep();
    this.send();
  }

  async send() {
    if (this.isSending) return;
    this.isSending = true;
    this.#state("sending");
    const answer = await post(this.body.dataset.url, this.#form());
    this.isSending = false;
    if (answer.lost) {
      this.#state("unsent");
      this.page.lost(answer.lost);
    } else this.#take(answer);
    this.page.settled();
  }

  #take(answer) {
    const sent = this.sent.fields;
    this.sent = null;
    this.#clear();
    if (answer.status === "written") this.#written(answer, sent);
    else if (answer.status === "conflict") this.#conflict(answer);
    else this.#refuse(answer, sent);
    this.#keep();
  }

  #written(answer, sent) {
    const isSame = JSON.stringify(sent) === JSON.stringify(this.typed());
    this.#believe(answer.line);
    if (isSame) this.#fill(answer.line.fields);
    this.refused = null;
    this.changed();
    this.#show(answer.line);
    this.page.written(this, answer);
    if (!this.body.contains(document.activeElement)) this.leave();
  }

  #conflict(answer) {
    this.standing = answer.line;
    this.#part("current").textContent = answer.current.join(" ");
    this.#part("standing").hidden = false;
    this.page.showSheet(answer);
    this.#fault([answer.message], []);
  }

  #refuse(answer, sent) {
    this.refused = JSON.stringify(sent);
    const errors = answer.errors ?? {};
    const words = answer.errors ? Object.values(errors).flat() : [answer.message];
    this.#fault(words.map((text) => text ?? this.page.words.error), Object.keys(errors));
  }

  #fault(words, fields) {
    const faults = this.#part("faults");
    faults.replaceChildren(...[...new Set(words)].map((text) => paragraph(text, "field-error")));
    for (const name of fields) {
      this.boxes[name]?.setAttribute("aria-invalid", "true");
      this.boxes[name]?.setAttribute("aria-describedby", faults.id);
    }
    this.#state("faulty");
    this.page.faulty(this, words);
  }

  // Leave what stands, or write what was typed in its place.
  #decide(isMine) {
    const standing = this.standing;
    this.#clear();
    this.#believe(standing);
    if (!isMine) this.#fill(standing.fields);
    this.#show(standing);
    this.changed();
    this.boxes.points_ns.focus();
    if (isMine) this.leave();
    this.page.settled();
  }

  #clear() {
    this.standing = null;
    this.#part("standing").hidden = true;
    this.#part("faults").replaceChildren();
    for (const box of Object.values(this.boxes)) {
      box.removeAttribute("aria-invalid");
      box.removeAttribute("aria-describedby");
    }
  }

  #believe(line) {
    this.line = line;
    this.version = line.version;
    this.base = line.fields;
    this.isWritten = line.written;
  }

  #showResult({ score, marks }) {
    this.#part("score").textContent = score;
    this.#part("marks").textContent = marks.join(", ");
  }

  #show(line) {
    this.#showResult(line);
    this.#part("warnings").replaceChildren(...line.warnings.map((text) => paragraph(text)));
  }

  #fill(fields) {
    for (const name of this.names) this.boxes[name].value = fields[name];
  }

  #form() {
    const { fields, version, uuid, why } = this.sent;
    const own = { ...fields, seen_version: version, uuid, why };
    return Object.entries(own).map(([name, value]) => [`deal${this.number}-${name}`, value]);
  }

  #fillOther() {
    const total = this.boxes.trump.value === "NT" ? NO_TRUMP : Number(this.body.dataset.total);
    for (const [name, other] of Object.entries(OTHER)) {
      const rest = total - Number(this.boxes[other].value);
      const isKnown = this.boxes[other].value && !this.boxes[name].value && rest >= 0;
      this.boxes[name].placeholder = isKnown ? rest : "";
    }
  }

  #askWhy() {
    const why = this.#part("why");
    const isAsked = this.isWritten && this.isTouched;
    if (isAsked && !why.querySelector("select")) {
      why.replaceChildren(document.querySelector("#grid-why").content.cloneNode(true));
    }
    why.hidden = !isAsked;
  }

  #why() {
    return this.#part("why").querySelector("select")?.value ?? "mistyped";
  }

  #state(state) {
    this.body.dataset.state = state;
    this.#part("state").textContent = this.page.words[`state_${state}`] ?? "";
  }

  #keep() {
    const { sent, version } = this;
    keep(this.number, this.isPending ? { fields: this.typed(), version, sent } : null);
  }

  #part(name) {
    return this.body.querySelector(`[data-${name}]`);
  }

  #wire() {
    this.#part("why").hidden = true;
    this.#part("faults").id = `faults-${this.number}`;
    this.#part("keep").addEventListener("click", () => this.#decide(false));
    this.#part("mine").addEventListener("click", () => this.#decide(true));
    this.body.addEventListener("input", () => this.changed());
    this.body.addEventListener("focusout", ({ relatedTarget }) => {
      if (!this.body.contains(relatedTarget)) this.leave();
    });
  }
}

function paragraph(text, name = "") {
  const made = document.createElement("p");
  made.className = name;
  made.textContent = text;
  return made;
}

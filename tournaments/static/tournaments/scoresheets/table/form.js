// Makes the page's one form be about any deal of the sheet: the next one, or an earlier one that is
// corrected.

import { clearDeal, filledIn, fillDeal } from "../../../scoring/deals/fill.js";
import { draftOf, dropDraft } from "../../../scoring/deals/draft.js";
import { setDeal } from "../../../scoring/deals/preview.js";
import { newId } from "./ids.js";
import { copyOf, say, texts } from "./words.js";

const NAMED = ["declarer", "reneged", "accused_wrongly_by"];

const isMark = ({ type }) => type === "radio" || type === "checkbox";

export class DealForm {
  #form;
  #clean = "";
  #opened = "";
  #isUsed = false;

  line = null;
  isCorrecting = false;
  // What both sides are called on this phone.
  sides = {};

  constructor(form) {
    this.#form = form;
  }

  get element() {
    return this.#form;
  }

  // Whether somebody filled in something that is not written yet.
  get isTouched() {
    return this.line !== null && this.#filled() !== this.#clean;
  }

  // Whether nothing was tapped since it was opened, also where it was opened with a deal filled in.
  get isAsOpened() {
    return this.line !== null && this.#filled() === this.#opened;
  }

  // Be about this line as the server made the form, with what was tapped while the page was loading;
  // false where the form is about something else.
  adopt(line) {
    const { action, elements } = this.#form;
    const isSame = action.endsWith(line.url) && elements.seen_version.value === String(line.version);
    if (!isSame || line.content || this.#isUsed) return false;
    this.#isUsed = true;
    this.line = line;
    this.#clean = this.#opened = JSON.stringify(this.#asMade());
    return true;
  }

  // Be about this line as it is now. `fields` are what stands there already, else it is what stands
  // on a line that is corrected. `typed` is what seems typed on top of it, else it is what was being
  // typed there before. A deal that is played again starts empty.
  open(line, { isCorrecting = false, needsReason = false, fields, typed } = {}) {
    Object.assign(this, { line, isCorrecting });
    this.#isUsed = true;
    const form = this.#form;
    form.action = line.url;
    form.elements.seen_version.value = line.version;
    form.elements.uuid.value = newId();
    setDeal(form, line.about);
    this.#forget();
    this.#askWho(line);
    this.#name(line);
    this.#askReason(needsReason);
    this.#label(line, isCorrecting && line.counts);
    this.#fill(line, fields ?? (isCorrecting ? line.fields : null) ?? [], typed);
  }

  // What is filled in, as it will be sent.
  get fields() {
    const servers = ["csrfmiddlewaretoken", "seen_version", "uuid", "previewed"];
    return [...new FormData(this.#form)].filter(
      ([name, value]) => !servers.includes(name) && value !== "",
    );
  }

  // Whether a reason is asked and not given; says so.
  get lacksReason() {
    const reason = this.#form.querySelector(".deal-reason");
    if (!reason) return false;
    const { why, why_else: own } = this.#form.elements;
    const isGiven = own.value.trim() || (why.value && why.value !== "other");
    reason.querySelector(".field-error")?.remove();
    if (isGiven) return false;
    reason.prepend(copyOf("outbox-fault", { text: texts.why }));
    reason.scrollIntoView({ block: "center" });
    return true;
  }

  // Mark the first question without an answer: somebody pressed the button too early.
  showMissing() {
    const form = this.#form;
    const { declarer, points_ns: ns, points_ew: ew } = form.elements;
    const isCounted = ns.value || ew.value || form.querySelector(".deal-marks :checked:not([value=''])");
    const missing = !declarer.value ? ".deal-who" : isCounted ? ".deal-trump" : ".deal-points";
    const box = form.querySelector(missing);
    box?.classList.add("deal-missing");
    box?.scrollIntoView({ block: "nearest" });
    form.addEventListener("input", () => box?.classList.remove("deal-missing"), { once: true });
  }

  // What was typed is written now, or given up: the form is free for another deal.
  release() {
    dropDraft(this.#form);
    this.leave();
  }

  // Be free for another deal; what was typed is there again when this one is opened again.
  leave() {
    Object.assign(this, { line: null, isCorrecting: false });
  }

  #filled() {
    return JSON.stringify(filledIn(this.#form));
  }

  // What `filledIn` said before anybody tapped.
  #asMade() {
    return [...this.#form.elements]
      .filter(({ name, type }) => name && type !== "hidden" && type !== "submit")
      .filter((input) => !isMark(input) || input.defaultChecked)
      .map((input) => [input.name, isMark(input) ? input.value : input.defaultValue])
      .filter(([, value]) => value !== "");
  }

  #fill(line, fields, typed) {
    const form = this.#form;
    const draft = typed ?? draftOf(form);
    if (fields.length) fillDeal(form, fields);
    else clearDeal(form);
    if (!fields.length) this.#expect(line);
    this.#clean = this.#filled();
    if (draft?.length) fillDeal(form, draft);
    this.#opened = this.#filled();
  }

  // Who must play, and what is trump in the first deal where the evening says so.
  #expect({ forced, about }) {
    const given = { declarer: forced, trump: about.first_trump?.suit };
    const pairs = Object.entries(given).filter(([, value]) => value);
    if (pairs.length) fillDeal(this.#form, pairs);
  }

  // What the server said of the deal that the form was about before.
  #forget() {
    const said = ".error-summary, .field-error, .deal-trump .hint";
    for (const node of this.#form.querySelectorAll(said)) node.remove();
    for (const box of this.#form.querySelectorAll(".field-invalid")) {
      box.classList.remove("field-invalid");
    }
  }

  // Ask between the sides or between the people, as this deal wants it.
  #askWho({ declarers }) {
    const labels = [...this.#form.querySelectorAll(".deal-who .segmented label")];
    const asked = labels.map((label) => label.querySelector("input").value);
    if (asked.join() === declarers.join()) return;
    const made = declarers.map((who, place) => {
      const label = labels[0].cloneNode(true);
      const input = label.querySelector("input");
      Object.assign(input, { value: who, id: `id_declarer_${place}`, checked: false });
      label.htmlFor = input.id;
      label.querySelector("span").textContent = this.sides[who] ?? who;
      return label;
    });
    labels[0].parentElement.replaceChildren(...made);
  }

  #name({ forced, about }) {
    for (const name of NAMED) {
      for (const input of this.#form.querySelectorAll(`input[name="${name}"]`)) {
        const called = about.names[input.value];
        const label = input.closest("label")?.querySelector("span");
        if (called && label) label.textContent = called;
      }
    }
    const folded = this.#form.querySelector(".deal-folded");
    if (!folded || !forced) return;
    folded.open = false;
    folded.querySelector("summary").textContent = say(texts.plays, { name: about.names[forced] });
  }

  #askReason(needsReason) {
    this.#form.querySelector(".deal-reason")?.remove();
    if (needsReason) this.#form.querySelector(".deal-write").before(copyOf("outbox-reason"));
  }

  #label({ number }, isChange) {
    const button = this.#form.querySelector(".deal-write .button-primary");
    button.textContent = say(isChange ? texts.change : texts.write, { number });
  }
}

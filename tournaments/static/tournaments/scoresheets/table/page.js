// The page of one sheet: draws what waits on top of it, and turns what is pressed into acts.

import { closed, opened } from "../../../scoring/deals/back.js";
import { hush, judge, judgeAs, showPreview } from "../../../scoring/deals/preview.js";
import { contentOf } from "./content.js";
import { DealForm } from "./form.js";
import { Layer } from "./layer.js";
import { isOfSheet, ledgerOf } from "./ledger.js";
import { drawSheet } from "./sheet.js";
import { acted, isSlip } from "./slip.js";
import { drawTop } from "./top.js";
import { copyOf, say, texts } from "./words.js";

const DOUBLE_TAP = 600;
const AT_ONCE = 60_000;

const find = (selector) => document.querySelector(selector);

// A form on a page without a sheet, such as an objection, is sent as any form is.
const formOfSheet = () => {
  const element = find("#table-data") && find("[data-deal-form]");
  return element && new DealForm(element);
};

export class TablePage {
  #outbox;
  #layer = new Layer();
  #form = formOfSheet();
  #writtenAt = 0;
  // When this page wrote which deal: what is corrected within a minute needs no reason.
  #written = new Map();
  // What was taken back last, until something else is done: it can be put back.
  #taken = null;
  // What was changed last, until something else is done.
  #changed = "";
  #closeCorrection = () => this.#goOn();

  constructor(outbox) {
    this.#outbox = outbox;
    this.#form?.element.addEventListener("submit", (event) => this.#write(event));
    document.addEventListener("click", (event) => this.#onClick(event));
  }

  // What the server last said of the sheet; null on a page without one.
  get data() {
    const given = find("#table-data")?.dataset.table;
    return given ? JSON.parse(given) : null;
  }

  // Whether the server has deals of this phone that the page does not show yet.
  get isBehind() {
    const { data } = this;
    const { lines = [] } = data ?? {};
    const isSent = (item) => data && isOfSheet(item, data) && item.state === "sent";
    const own = this.#outbox.items.filter(isSent);
    return own.some(({ number, version }) =>
      lines.some((line) => line.number === number && line.version < version),
    );
  }

  draw() {
    this.#layer.lift();
    const { data } = this;
    if (!data) return;
    if (this.#form) this.#form.sides = data.sides;
    const ledger = ledgerOf(data, this.#outbox.items);
    if (find("#table-sheet") && ledger.isChanged) drawSheet(this.#layer, ledger, data);
    const { isCorrecting, line } = this.#form ?? {};
    drawTop(this.#layer, ledger, data, isCorrecting ? line : ledger.next);
    if (this.#form) this.#drawForm(ledger, data);
  }

  // What somebody was shown of an item before it was written, as this phone says it now.
  linesOf({ fields, content, lines = [], ...item }) {
    const { data } = this;
    const isOfOtherChair = content?.columns && content.columns[0] !== data?.columns[0];
    if (!this.#form || !isOfOtherChair || !isOfSheet(item, data)) return lines;
    const { about } = this.#lines().find(({ number }) => number === item.number);
    return judgeAs(this.#form.element, fields, about).lines;
  }

  // Put a deal that was refused into the form again.
  mend({ number, fields }) {
    const line = this.#lines().find((one) => one.number === number);
    if (line && this.#form) this.#correct(line, fields);
  }

  #lines() {
    return ledgerOf(this.data, this.#outbox.items).lines;
  }

  #drawForm(ledger, data) {
    const isAlone = !find("#table-form");
    if (isAlone) this.#openAlone(ledger);
    else if (!this.#form.isCorrecting || !data.open) this.#openNext(ledger);
    if (!isAlone) this.#show(ledger, data);
    this.#sayLast(ledger, data);
  }

  // A deal on a page of its own stays that deal.
  #openAlone({ lines }) {
    if (this.#form.line) return;
    const here = lines.find(({ url }) => this.#form.element.action.endsWith(url));
    if (here && !this.#form.adopt(here)) this.#open(here);
  }

  // The deal that was taken back comes with its figures, so that one of them can be changed.
  #openFor(line) {
    const { number, fields } = this.#taken ?? {};
    if (number === line.number) this.#form.open(line, { typed: fields });
    else if (!this.#form.adopt(line)) this.#form.open(line);
  }

  #openNext({ next, lines }) {
    const { line, isTouched } = this.#form;
    find("[data-outbox-news]")?.remove();
    if (!isTouched) {
      if (!next) this.#form.leave();
      else if (line?.number !== next.number || line.version !== next.version) this.#openFor(next);
      return;
    }
    const now = lines.find(({ number }) => number === line.number);
    if (now && now.version !== line.version) this.#tell(now);
  }

  // Somebody else wrote the deal, or took it back, while it is being filled in here.
  #tell(line) {
    const text = say(line.counts ? texts.just_written : texts.taken_back, {
      number: line.number,
      score: line.words,
    });
    find("[data-outbox-notes]").append(copyOf("outbox-news", { text }));
  }

  #show({ next, isChanged }, data) {
    const { isCorrecting, line } = this.#form;
    const isFilled = data.open && (next !== null || isCorrecting);
    const isFull = data.open && !isFilled && isChanged;
    find("#table-form").hidden = !isFilled;
    const middle = this.#layer.over(find("#table-middle"));
    middle.hidden = isFilled || isFull;
    if (isFull) middle.replaceChildren();
    find("#table-waiting").replaceChildren(...(isFull ? [copyOf("outbox-full")] : []));
    const box = find("[data-correcting]");
    box.hidden = !isCorrecting;
    if (isCorrecting) box.querySelector("h2").textContent = say(texts.correct, line);
    const history = find("[data-history]");
    history.hidden = !isCorrecting;
    if (isCorrecting) history.querySelector("a").href = line.url;
  }

  // What was written last, and that it can be taken back; of a deal being corrected what it says.
  #sayLast({ last }, data) {
    const { element, isTouched, isAsOpened, isCorrecting, line } = this.#form;
    const taken = isCorrecting ? null : this.#taken;
    const canUndo = data.open && !isCorrecting && (taken || last?.content || last?.undo);
    for (const button of document.querySelectorAll(".deal-takes-back, [data-undo]")) {
      button.hidden = !canUndo;
      if (canUndo) button.textContent = taken ? texts.put_back : say(texts.undo, last);
    }
    hush(element);
    if (!line) return;
    const preview = element.querySelector("[data-preview]");
    if (taken && isAsOpened) preview.replaceChildren(done(say(texts.undone, taken)));
    else if (isTouched || isCorrecting) showPreview(element);
    else preview.replaceChildren(this.#changed ? done(this.#changed) : idle(last));
  }

  #onClick(event) {
    const { target } = event;
    const link = target.closest("#table-sheet tr")?.querySelector(".number a");
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (link && isPlain && this.#form && this.data?.open) {
      event.preventDefault();
      const line = this.#lines().find(({ url }) => link.href.endsWith(url));
      this.#correct(line);
    } else if (target.closest('[form="undo"], [data-undo]') && this.data?.open) {
      event.preventDefault();
      if (isSlip(event)) return;
      if (this.#taken) this.#putBack();
      else this.#undo();
    } else if (target.closest("[data-back-to-next], [data-act=go-on]")) {
      this.#goOn();
    }
  }

  // Leave what is corrected as it was, for the next deal.
  #goOn() {
    closed(this.#closeCorrection);
    this.#form.release();
    this.draw();
    scrollTo(0, 0);
  }

  #open(line, fields) {
    const { isWaiting, content } = line;
    const isOnlyHere = isWaiting && content && !this.#outbox.isAttempted(this.data, line);
    const isFresh = Date.now() - (this.#written.get(line.number) ?? 0) < AT_ONCE;
    const needsReason = line.counts && !isOnlyHere && !isFresh;
    this.#form.open(line, { isCorrecting: line.has, needsReason, fields });
  }

  #correct(line, fields) {
    if (!this.#form.isCorrecting) opened(this.#closeCorrection);
    this.#forget();
    this.#form.leave();
    this.#open(line, fields);
    this.#form.isCorrecting = true;
    this.draw();
    const heading = find("[data-correcting] h2");
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView({ block: "start" });
  }

  async #write(event) {
    event.preventDefault();
    // The second tap of two on the button would complain of the next deal, which is empty.
    const { isTouched, isCorrecting } = this.#form;
    const isEmpty = !isTouched && !isCorrecting;
    if (isEmpty && Date.now() - this.#writtenAt < DOUBLE_TAP) return this.draw();
    const judged = judge(this.#form.element);
    if (judged.wanted.length) this.#form.showMissing();
    if (!judged.valid || this.#form.lacksReason) return;
    this.#writtenAt = Date.now();
    acted();
    await this.#send(judged, texts.at_once);
    // Where the next deal is, whether this one was sent, and what is asked of it.
    scrollTo(0, 0);
  }

  // Write what the form says; `reason` is why, where nobody was asked.
  async #send(judged, reason) {
    const { data } = this;
    const { line, fields } = this.#form;
    const hasReason = fields.some(([name]) => name.startsWith("why"));
    if (line.counts && !hasReason) fields.push(["why_else", reason]);
    const { about, base } = line;
    const isChange = line.counts && base > 0;
    const content = contentOf(judged, fields, { data, texts, about, isChange });
    closed(this.#closeCorrection);
    this.#forget();
    const { number, words: before } = line;
    if (line.counts) this.#changed = say(texts.changed, { number, before, after: content.words });
    this.#written.set(number, Date.now());
    this.#form.release();
    await this.#outbox.write(data, line, { fields, content, lines: judged.lines });
    if (!find("#table-form")) location.assign(data.url);
  }

  async #undo() {
    const { data } = this;
    const { last } = ledgerOf(data, this.#outbox.items);
    if (!last) return;
    const { number, version, fields = [] } = last;
    this.#forget();
    this.#taken = { number, version, fields };
    this.#form.leave();
    await this.#outbox.undo(data, last, this.#form.element.elements.device.value);
  }

  // Write again what was taken back, unless somebody else wrote that deal meanwhile.
  async #putBack() {
    const { number, version, fields } = this.#taken;
    const line = this.#lines().find((one) => one.number === number);
    this.#forget();
    this.#form.leave();
    if (line.version > version + 1) return this.draw();
    this.#form.open(line, { typed: fields });
    await this.#send(judge(this.#form.element), texts.put_back);
  }

  #forget() {
    this.#taken = null;
    this.#changed = "";
  }
}

const done = (text) => copyOf("outbox-saved", { text });

function idle(last) {
  if (!last) return copyOf("outbox-hint", { text: texts.fill });
  const values = { number: last.number, score: last.words };
  const written = last.theirs ? texts.stands : texts.saved;
  return copyOf("outbox-saved", { text: say(last.isWaiting ? texts.kept : written, values) });
}

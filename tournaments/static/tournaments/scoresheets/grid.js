// A whole paper sheet typed by keyboard: Enter goes to the next deal, and each line is saved as it
// is left. What cannot be sent is kept and sent again by itself.

import { listen } from "./grid/keys.js";
import { judge } from "./grid/judge.js";
import { Line } from "./grid/line.js";
import { post } from "./grid/send.js";
import { drafts, elsewhere, forgetElsewhere } from "./grid/store.js";

const PATIENCE = [2, 4, 8, 15, 30];
const LONGEST_WAIT = 3000;

const about = JSON.parse(document.querySelector("#grid-about").textContent);
const find = (selector) => document.querySelector(selector);
const control = find("[data-control]");
const result = find("#grid-control");
const onward = find("#next-table");

class Page {
  constructor() {
    this.words = about.words;
    this.side = "ns";
    this.tries = 0;
    this.waiting = [];
    const bodies = [...document.querySelectorAll("[data-line]")];
    this.lines = bodies.map((body, at) => new Line(body, about.lines[at], this));
    this.hideRest(about.full);
  }

  // The line that a box stands in, what kind of box it is, and of which side.
  lineOf(target) {
    const body = target.closest?.("[data-line]");
    const line = this.lines.find((one) => one.body === body);
    if (!line) return null;
    return [line, ...(target.name?.split("-")[1]?.split("_") ?? [])];
  }

  // What the line comes to as it is typed now; the server decides.
  judge(line) {
    return judge(line.typed(), about.rules, about.deals[line.number]);
  }

  get pending() {
    return this.lines.filter((line) => line.isPending);
  }

  toPoints(line) {
    line.boxes[`points_${this.side}`].focus();
  }

  start(line) {
    if (line.boxes.declarer.value) this.toPoints(line);
    else line.boxes.declarer.focus();
  }

  goTo(line, step, name) {
    this.lines[this.lines.indexOf(line) + step]?.boxes[name]?.focus();
  }

  next(line) {
    const after = this.lines.slice(this.lines.indexOf(line) + 1).find((one) => one.isOpen);
    if (after) this.start(after);
    else control.querySelector("input:not([type=hidden])").focus();
  }

  written(line, answer) {
    this.tries = 0;
    const written = this.lines.filter((one) => one.isWritten).length;
    if (answer.full && !this.pending.length) this.say("written_all", { n: written });
    else this.say("written", { n: line.number, score: answer.line.score });
    this.showSheet(answer);
    this.hideRest(answer.full);
    if (answer.lines > this.lines.length && !this.pending.length) location.reload();
  }

  // A sheet that ended at its target has no lines after that.
  hideRest(isFull) {
    for (const one of this.lines) one.body.hidden = isFull && !one.isWritten && !one.isPending;
  }

  showSheet(answer) {
    find("#grid-totals").innerHTML = answer.totals;
    result.querySelector("[data-result]").innerHTML = answer.control;
  }

  faulty(line, words) {
    this.say("faulty", { n: line.number, faults: words.join(" ") });
  }

  say(name, shown) {
    find("#grid-says").textContent = fill(this.words[name], shown);
  }

  lost(why) {
    this.reason = this.words[why];
    clearTimeout(this.timer);
    const wait = PATIENCE[Math.min(this.tries++, PATIENCE.length - 1)];
    this.timer = setTimeout(() => this.sendAgain(), wait * 1000);
  }

  sendAgain() {
    for (const line of this.lines) if (line.sent) line.send();
  }

  // Tells which lines wait for the network, and lets who waits for them go on.
  settled() {
    const unsent = this.lines.filter((line) => line.sent && !line.isSending);
    const box = find("#grid-waiting");
    box.hidden = !unsent.length;
    if (unsent.length) this.tell(this.reason, unsent);
    if (this.lines.some((line) => line.isSending)) return;
    for (const go of this.waiting.splice(0)) go();
  }

  tell(words, lines) {
    const box = find("#grid-waiting");
    box.hidden = false;
    box.querySelector("[data-why-waiting]").textContent = words;
    const n = lines.map((line) => line.number).join(", ");
    box.querySelector("[data-which]").textContent = fill(this.words.waiting, { n });
  }

  // Until nothing is on its way any more, but never long.
  quiet() {
    if (!this.lines.some((line) => line.isSending)) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      setTimeout(resolve, LONGEST_WAIT);
    });
  }
}

function fill(text, shown) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => shown[name] ?? whole);
}

async function compare(fields) {
  await page.quiet();
  const answer = await post(control.action, fields);
  if (answer.lost) page.tell(page.words[answer.lost], page.pending);
  else if (answer.status === "kept") page.showSheet(answer);
  else {
    const faults = Object.values(answer.errors ?? { all: page.words.error }).flat();
    result.querySelector("[data-result]").textContent = faults.join(" ");
  }
  if (answer.status === "kept" && !result.querySelector("[name=accept]")) onward.focus();
  else result.focus();
}

function controlKey(event) {
  if (event.key !== "Enter" || !event.target.matches("input")) return;
  event.preventDefault();
  const boxes = [...control.querySelectorAll("input:not([type=hidden])")];
  const after = boxes[boxes.indexOf(event.target) + 1];
  if (boxes.every((box) => !box.value)) onward.focus();
  else if (after) after.focus();
  else control.requestSubmit();
}

let isArmed = false;

async function goOn(event) {
  if (!page.pending.length || isArmed) return;
  event.preventDefault();
  await page.quiet();
  if (!page.pending.length) return location.assign(onward.href);
  isArmed = true;
  page.tell(page.words.again, page.pending);
}

const page = new Page();
document.body.classList.add("grid-scripted");
listen(page, about.keys);
control.addEventListener("keydown", controlKey);
control.addEventListener("submit", (event) => {
  event.preventDefault();
  compare(new FormData(control));
});
result.addEventListener("submit", (event) => {
  event.preventDefault();
  compare([["accept", event.submitter.value]]);
});
onward.addEventListener("click", goOn);
addEventListener("online", () => page.sendAgain());
document.addEventListener("visibilitychange", () => document.hidden || page.sendAgain());
for (const [number, draft] of Object.entries(drafts())) {
  page.lines.find((line) => line.number === Number(number))?.restore(draft);
}
for (const path of elsewhere()) {
  const link = document.createElement("a");
  link.href = path;
  link.textContent = fill(page.words.table, { n: path.match(/tables\/(\d+)/)?.[1] });
  find("#grid-elsewhere .links").append(link);
  find("#grid-elsewhere").hidden = false;
}
find("[data-forget]").addEventListener("click", () => {
  forgetElsewhere();
  find("#grid-elsewhere").hidden = true;
});

// Where there is a picture of the sheet, its strip of the line in focus is shown above the grid.
const strip = find("#grid-strip");
if (strip) {
  const strips = JSON.parse(find("#grid-strips").textContent);
  document.addEventListener("focusin", ({ target }) => {
    const shown = strips[target.closest("[data-line]")?.dataset.line];
    strip.hidden = !shown;
    if (!shown) return;
    strip.querySelector("image").setAttribute("href", shown.picture);
    strip.querySelector("svg").setAttribute("viewBox", shown.box);
  });
}

const first = page.lines.find((line) => line.isOpen && !line.isTouched);
if (first && !location.hash && !find("[data-focus]")) page.start(first);

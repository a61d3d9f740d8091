// Says above the button what a deal will put on the sheet, while it is filled in, without the
// network. What is sent along as `previewed` tells the server which words were read.

import { judgeFields } from "./judge.js";

// So long nothing changes before it is said: a screen reader need not read every digit.
const PAUSE = 200;
const abouts = new WeakMap();
const waiting = new WeakMap();

function aboutOf(form) {
  if (!abouts.has(form)) {
    abouts.set(form, JSON.parse(form.querySelector("#deal-rules").textContent));
  }
  return abouts.get(form);
}

// What the form comes to as it is filled in now: see judgeFields.
export const judge = (form) => judgeFields(new FormData(form), aboutOf(form));

// Make the form be about another deal of the sheet: `deal` as phone_rules.phone_deals has it.
export function setDeal(form, deal) {
  abouts.set(form, { ...aboutOf(form), deal });
}

// Say nothing of what was just put into the form by a program.
export function hush(form) {
  clearTimeout(waiting.get(form));
}

// Say now what the form comes to.
export function showPreview(form) {
  const place = form.querySelector("[data-preview]");
  const { lines, doubts, faults, wanted, digest } = judge(form);
  const said = { line: lines, doubt: doubts, fault: faults, wanted };
  const made = Object.entries(said).flatMap(([kind, texts]) =>
    texts.map((text) => paragraph(form, kind, text)),
  );
  if (digest) made.push(previewed(digest));
  // The same words once more would be read aloud once more.
  const box = document.createElement("div");
  box.append(...made);
  if (box.innerHTML !== place.innerHTML) place.replaceChildren(...box.childNodes);
}

function paragraph(form, kind, text) {
  const made = form.querySelector(`[data-said="${kind}"]`).content.cloneNode(true);
  made.querySelector("[data-text]").textContent = text;
  return made;
}

function previewed(digest) {
  const input = document.createElement("input");
  Object.assign(input, { type: "hidden", name: "previewed", value: digest });
  return input;
}

function listen(form) {
  form.addEventListener("input", () => {
    hush(form);
    waiting.set(form, setTimeout(showPreview, PAUSE, form));
  });
  // What is sent was read, however fast the thumb: what waits to be said is said first.
  form.addEventListener("submit", () => showPreview(form), { capture: true });
}

for (const rules of document.querySelectorAll("#deal-rules")) listen(rules.closest("form"));

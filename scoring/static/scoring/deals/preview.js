// Shows above the button what a deal will put on the sheet while it is filled in, without the
// network. The field `previewed` tells the server which text the writer has seen.

import { judgeFields } from "./judge.js";

// Milliseconds without input before the preview is updated, so that a screen reader does not
// read out every digit.
const PAUSE = 200;
const abouts = new WeakMap();
const waiting = new WeakMap();

function aboutOf(form) {
  if (!abouts.has(form)) {
    abouts.set(form, JSON.parse(form.querySelector("#deal-rules").textContent));
  }
  return abouts.get(form);
}

// The result of the form as it is filled in now: see judgeFields.
export const judge = (form) => judgeFields(new FormData(form), aboutOf(form));

// The result of these fields, as pairs, in another deal of the sheet.
export const judgeAs = (form, fields, deal) =>
  judgeFields(new Map(fields), { ...aboutOf(form), deal });

// Switch the form to another deal of the sheet; `deal` is one of `phone_deals` in phone.py.
export function setDeal(form, deal) {
  abouts.set(form, { ...aboutOf(form), deal });
}

// Cancel the pending preview, after a script has filled the form.
export function hush(form) {
  clearTimeout(waiting.get(form));
}

// Update the preview now.
export function showPreview(form) {
  const place = form.querySelector("[data-preview]");
  const { lines, doubts, faults, wanted, digest } = judge(form);
  const sentences = { line: lines, doubt: doubts, fault: faults, wanted };
  const made = Object.entries(sentences).flatMap(([kind, texts]) =>
    texts.map((text) => paragraph(form, kind, text)),
  );
  if (digest) made.push(previewed(digest));
  // Replacing text by the same text would make a screen reader repeat it.
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
  // However fast the thumb: show a pending preview before the form is sent.
  form.addEventListener("submit", () => showPreview(form), { capture: true });
}

for (const rules of document.querySelectorAll("#deal-rules")) listen(rules.closest("form"));

// A deal that is filled in but not saved survives a locked or reloaded phone.

import { filledIn, fillDeal } from "./fill.js";

const PREFIX = "deal-draft:";
const KEPT_FOR = 12 * 60 * 60 * 1000;

// A draft belongs to one version of one deal; the form may move on to another one.
const keyOf = (form) => `${PREFIX}${form.action}:${form.elements.seen_version.value}`;

// The draft as pairs; null when there is none, or no storage.
export function draftOf(form) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(form)))?.fields ?? null;
  } catch {
    return null;
  }
}

export function dropDraft(form) {
  try {
    localStorage.removeItem(keyOf(form));
  } catch {
    // Nothing was kept.
  }
}

export function keepDraft(form) {
  forgetOld();
  const draft = draftOf(form);
  if (draft?.length && !form.querySelector(".error-summary")) {
    document.addEventListener("DOMContentLoaded", () => fillDeal(form, draft));
  }
  form.addEventListener("input", () => keep(form));
}

function keep(form) {
  const draft = { at: Date.now(), fields: filledIn(form) };
  try {
    localStorage.setItem(keyOf(form), JSON.stringify(draft));
  } catch {
    // Without storage only a reload loses it.
  }
}

function forgetOld() {
  try {
    for (const name of Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))) {
      const { at } = JSON.parse(localStorage.getItem(name));
      if (at < Date.now() - KEPT_FOR) localStorage.removeItem(name);
    }
  } catch {
    // Nothing was kept.
  }
}

// What is tapped in but not yet written survives a locked or reloaded phone.

import { filledIn, fillDeal } from "./fill.js";

const PREFIX = "deal-draft:";
const KEPT_FOR = 12 * 60 * 60 * 1000;

function forgetOld(storage) {
  for (const name of Object.keys(storage).filter((key) => key.startsWith(PREFIX))) {
    if (JSON.parse(storage.getItem(name)).at < Date.now() - KEPT_FOR) storage.removeItem(name);
  }
}

export function keepDraft(form) {
  let storage;
  try {
    storage = window.localStorage;
  } catch {
    return;
  }
  const key = `${PREFIX}${form.action}:${form.elements.seen_version.value}`;
  forgetOld(storage);
  const kept = storage.getItem(key);
  if (kept && !form.querySelector(".error-summary")) {
    // Not before htmx listens, so that what is filled in is said in words as well.
    document.addEventListener("DOMContentLoaded", () => fillDeal(form, JSON.parse(kept).fields));
  }
  form.addEventListener("input", () => {
    storage.setItem(key, JSON.stringify({ at: Date.now(), fields: filledIn(form) }));
  });
}

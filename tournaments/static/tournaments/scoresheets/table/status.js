// Always in sight: whether all is sent, or how many deals wait and since when.

import { say, texts, time } from "./words.js";

// A flash of waiting between two answers is not worth saying aloud.
const WORTH_SAYING = 2000;

const box = document.querySelector("[data-outbox-status]");
const spoken = document.querySelector("[data-outbox-spoken]");
let saying;
let wasWaiting = false;

export const workerAddress = box?.dataset.worker;

export function showStatus(waiting) {
  if (!box) return;
  const words = wordsOf(waiting);
  box.hidden = false;
  box.classList.toggle("outbox-waits", waiting.length > 0);
  box.querySelector("[data-outbox-icon]").hidden = waiting.length > 0;
  box.querySelector("[data-outbox-words]").textContent = words;
  clearTimeout(saying);
  saying = setTimeout(tell, WORTH_SAYING, words, waiting.length > 0);
}

function wordsOf(waiting) {
  if (!waiting.length) return texts.sent;
  const since = waiting.map(({ made_at: at }) => at).sort()[0];
  const text = waiting.length === 1 ? texts.waiting_one : texts.waiting;
  return say(text, { count: waiting.length, time: time(since) });
}

function tell(words, isWaiting) {
  if (isWaiting || wasWaiting) spoken.textContent = words;
  wasWaiting = isWaiting;
}

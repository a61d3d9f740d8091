// Always in sight: whether all is sent, how many deals wait and since when, or that there is no wifi.

import { say, texts, time } from "./words.js";

// A flash of waiting between two answers is not worth saying aloud.
const WORTH_SAYING = 2000;

const box = document.querySelector("[data-outbox-status]");
const spoken = document.querySelector("[data-outbox-spoken]");
let saying;
let wasWaiting = false;

export const workerAddress = box?.dataset.worker;

// `isAway`: the club's computer did not answer the last time.
export function showStatus(waiting, isAway) {
  if (!box) return;
  const words = wordsOf(waiting, isAway);
  const isDone = !waiting.length && !isAway;
  box.hidden = false;
  box.classList.toggle("outbox-waits", !isDone);
  box.querySelector("[data-outbox-icon]").hidden = !isDone;
  box.querySelector("[data-outbox-words]").textContent = words;
  clearTimeout(saying);
  saying = setTimeout(tell, WORTH_SAYING, words, !isDone);
}

function wordsOf(waiting, isAway) {
  if (!waiting.length) return isAway ? texts.away : texts.sent;
  const since = waiting.map(({ made_at: at }) => at).sort()[0];
  const text = waiting.length === 1 ? texts.waiting_one : texts.waiting;
  return say(text, { count: waiting.length, time: time(since) });
}

function tell(words, isWaiting) {
  if (isWaiting || wasWaiting) spoken.textContent = words;
  wasWaiting = isWaiting;
}

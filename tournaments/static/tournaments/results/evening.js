// All that the page of an evening runs, so that a phone asks once for it.

import "../../clubs/klaverclub.js";
import "../../clubs/live.js";

// Whose phone this is (me.js) plays a part only where somebody said so, or types a name.
const waiting = new AbortController();

function isSaid({ club }) {
  try {
    return localStorage.getItem(`klaverclub.me.${club}`) !== null;
  } catch {
    return false;
  }
}

function fetchMe() {
  const answer = document.querySelector("[data-me-answer]");
  if (!answer || !(isSaid(answer.dataset) || document.querySelector("#name").value)) return;
  waiting.abort();
  const script = document.createElement("script");
  script.type = "module";
  script.src = answer.dataset.script;
  document.head.append(script);
}

fetchMe();
if (!waiting.signal.aborted) {
  const { signal } = waiting;
  window.addEventListener("storage", fetchMe, { signal });
  for (const event of ["input", "live:changed"]) document.addEventListener(event, fetchMe, { signal });
}

// Every other form of the page goes to the server as it is, once the server answers: else the browser
// would show its own page about the network in place of this one.

import { copyOf } from "./words.js";

const PATIENCE = 5000;

export function guardForms(address) {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post" || form.dataset.reached) return;
    event.preventDefault();
    document.querySelector("[data-unreached]")?.remove();
    if (!(await answers(address))) return form.append(copyOf("outbox-unreached"));
    form.dataset.reached = "yes";
    form.requestSubmit(event.submitter);
    delete form.dataset.reached;
  });
}

async function answers(address) {
  const giveUp = new AbortController();
  const clock = setTimeout(() => giveUp.abort(), PATIENCE);
  try {
    return (await fetch(address, { cache: "no-store", signal: giveUp.signal })).ok;
  } catch {
    return false;
  } finally {
    clearTimeout(clock);
  }
}

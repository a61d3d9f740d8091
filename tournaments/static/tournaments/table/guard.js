// Every other form of the page goes to the server as it is, once the server answers: else the browser
// would show its own page about the network in place of this one.

import { answers } from "./reach.js";
import { copyOf } from "./words.js";

export function guardForms() {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post" || form.dataset.reached) return;
    event.preventDefault();
    document.querySelector("[data-unreached]")?.remove();
    if (!(await answers())) return form.append(copyOf("outbox-unreached"));
    form.dataset.reached = "yes";
    form.requestSubmit(event.submitter);
    delete form.dataset.reached;
  });
}

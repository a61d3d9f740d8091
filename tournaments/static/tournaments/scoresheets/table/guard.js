// Every other form of the page goes to the server as it is, and a link to a page that is not kept is
// followed, once the server answers: else the browser would show its own page about the network in
// place of this one.

import { answers } from "./reach.js";
import { copyOf } from "./words.js";

export function guardForms() {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post" || form.dataset.reached) return;
    event.preventDefault();
    document.querySelector("[data-unreached]")?.remove();
    if (!(await answers())) return form.append(copyOf("outbox-unreached"));
    // News that came meanwhile may have put another form in its place.
    if (!form.isConnected) document.body.append(form);
    form.dataset.reached = "yes";
    form.requestSubmit(event.submitter);
    delete form.dataset.reached;
  });
}

export function guardLinks() {
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[href]");
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!link || !isPlain || event.defaultPrevented || isKept(link)) return;
    event.preventDefault();
    document.querySelector("[data-unreached]")?.remove();
    if (await answers()) return location.assign(link.href);
    link.parentElement.after(copyOf("outbox-unreached"));
    document.querySelector("[data-unreached]").scrollIntoView({ block: "nearest" });
  });
}

// Whether the worker opens it without the network.
const isKept = ({ href }) => new URL(href).pathname.startsWith("/t/");

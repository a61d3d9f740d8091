// The table's page: what is written goes into the phone's outbox and from there to the server; what
// the server does not show yet is drawn on top of what it sent.

import { showNotes } from "./table/notes.js";
import { Outbox } from "./table/outbox.js";
import { TablePage } from "./table/page.js";
import { showStatus, workerAddress } from "./table/status.js";
import { texts } from "./table/words.js";
import { keepPage, startWorker } from "./table/worker-link.js";

const LINK_IS_OVER = [403, 404, 410];
const SOON = 300;

const outbox = new Outbox(changed);
const page = new TablePage(outbox);

function draw() {
  page.draw();
  showNotes(outbox.items, act);
  showStatus(outbox.waiting);
  show("[data-not-kept]", !outbox.isKept);
}

const show = (selector, isShown) => {
  const notice = document.querySelector(selector);
  if (notice) notice.hidden = !isShown;
};

function changed(answer) {
  draw();
  if (answer) askForNews();
}

const askForNews = () => window.htmx.trigger("#table-poll", "news");

// What is pressed on a note.
async function act(name, item) {
  if (name === "retry") await outbox.retry(item);
  else if (name === "keep") await keepMine(item);
  else if (name === "mend") await mend(item);
  else if (name === "leave") await leave(item);
  else await outbox.discard(item);
}

async function mend(item) {
  await outbox.discard(item);
  page.mend(item);
}

// Write this phone's value over what stands, now that both were seen.
async function keepMine(item) {
  const { fields, content, lines } = outbox.following(item).filter(isWrite).at(-1) ?? item;
  const reasoned = [...fields.filter(([name]) => !name.startsWith("why")), ["why_else", texts.two_phones]];
  const { url, number, answer } = item;
  const line = { url, number, version: answer.version };
  await outbox.discard(item);
  await outbox.write(item, line, { fields: reasoned, content, lines });
}

const isWrite = ({ kind }) => kind === "write";

// What stands is right: the server need not keep the other value any longer.
async function leave(item) {
  const { claim_url: url } = item.answer;
  await outbox.discard(item);
  if (url) await outbox.withdraw(item, url);
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (!navigator.onLine) event.preventDefault();
});
document.addEventListener("htmx:beforeSwap", (event) => {
  const { status } = event.detail.xhr;
  if (status === 304) event.detail.shouldSwap = false;
  if (LINK_IS_OVER.includes(status)) {
    event.detail.isError = false;
    location.reload(); // the page itself says what happened
  }
});
document.addEventListener("htmx:afterSwap", () => {
  draw();
  keepPage();
  if (page.isBehind) setTimeout(askForNews, SOON);
});
addEventListener("beforeunload", (event) => {
  if (!outbox.isKept && outbox.waiting.length) event.preventDefault();
});

// What htmx copies from the old page while it swaps would undo what is drawn here.
window.htmx.config.attributesToSettle = [];
await outbox.start();
await outbox.forgetShown(page.data);
show("[data-no-worker]", !(await startWorker(workerAddress)));

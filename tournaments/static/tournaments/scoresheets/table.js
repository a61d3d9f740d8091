// The table's page: what is written goes into the phone's outbox and from there to the server; what
// the server does not show yet is drawn on top of what it sent.

import "../../clubs/klaverclub.js";
import { askNow } from "../../clubs/live.js";
import { guardForms, guardLinks } from "./table/guard.js";
import { isOfSheet } from "./table/ledger.js";
import { showNotes } from "./table/notes.js";
import { Outbox } from "./table/outbox.js";
import { TablePage } from "./table/page.js";
import { showStatus, workerAddress } from "./table/status.js";
import { texts } from "./table/words.js";
import { keepPage, startWorker } from "./table/worker-link.js";

const LINK_IS_OVER = [403, 404, 410];
const SOON = 300;
const LATER = 2500;

let isAway = !navigator.onLine;

const outbox = new Outbox(changed);
const page = new TablePage(outbox);

function draw() {
  page.draw();
  showNotes(outbox.items, act, (item) => page.linesOf(item));
  showStatus(outbox.waiting, isAway);
  show("[data-not-kept]", !outbox.isKept);
}

const show = (selector, isShown) => {
  const notice = document.querySelector(selector);
  if (notice) notice.hidden = !isShown;
};

function changed(answer) {
  if (answer) heard();
  draw();
  if (!answer) return;
  if (!outbox.waiting.length) askForNews();
  if (answer.state === "claimed") setTimeout(draw, LATER);
}

// Whether the club's computer answers: seen when news is asked for, and when something is sent.
function heard(answers = true) {
  isAway = !answers;
  if (answers) document.querySelector("[data-unreached]")?.remove();
  showStatus(outbox.waiting, isAway);
}

// A deal on a page of its own is left as soon as it is kept, and asks for nothing.
function askForNews() {
  askNow("table-poll");
}

// What is pressed on a note.
async function act(name, item) {
  if (name === "retry") return outbox.retry(item);
  const isHere = page.data && isOfSheet(item, page.data);
  if (name === "mend" && !isHere) return location.assign(item.url);
  await outbox.discard(item);
  if (name === "mend") page.mend(item);
}

document.addEventListener("live:answer", ({ detail }) => {
  heard(detail.status > 0);
  if (LINK_IS_OVER.includes(detail.status)) location.reload(); // the page itself says what happened
});
addEventListener("offline", () => heard(false));
document.addEventListener("live:changed", () => {
  draw();
  keepPage();
  if (page.isBehind) setTimeout(askForNews, SOON);
  outbox.forgetShown(page.data, ["claimed"]);
});
addEventListener("beforeunload", (event) => {
  if (!outbox.isKept && outbox.waiting.length) event.preventDefault();
});

guardForms();
guardLinks();
await outbox.start();
await outbox.forgetShown(page.data, ["sent", "claimed"]);
show("[data-no-worker]", !(await startWorker(workerAddress)));

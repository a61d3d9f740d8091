// What a person must look at: a deal that stands otherwise, one that was refused, one that is kept
// for the director. Each stays until somebody presses one of its buttons.

import { isSlip } from "./slip.js";
import { copyOf, say, texts } from "./words.js";

const place = document.querySelector("[data-outbox-notes]");
const drawn = new Map();

// Above everything else the page has to say.
if (place) document.querySelector("main").prepend(place);

// What the server keeps beside the sheet stands on its own page, as soon as that is asked for.
const SOON = 2000;

function isNote({ state, answered_at: at }) {
  return state === "claimed" ? at < Date.now() - SOON : ["stuck", "kept"].includes(state);
}

// `act(name, item)` is called when a button is pressed; `linesOf(item)` is what was tapped, in words.
export function showNotes(items, act, linesOf) {
  if (!place) return;
  const notes = items.filter(isNote);
  const keys = new Set(notes.map(({ uuid }) => uuid));
  for (const [uuid, node] of drawn) {
    if (keys.has(uuid)) continue;
    node.remove();
    drawn.delete(uuid);
  }
  for (const item of notes) {
    if (drawn.has(item.uuid)) continue;
    const node = noteOf(item, act, linesOf(item));
    drawn.set(item.uuid, node);
    place.append(node);
  }
}

function templateOf({ state, kind }) {
  if (state === "claimed") return "outbox-claimed";
  return state === "kept" || kind !== "write" ? "outbox-kept" : "outbox-refused";
}

function noteOf(item, act, lines) {
  const { answer } = item;
  const node = copyOf(templateOf(item), { title: titleOf(item) });
  fill(node, "message", [answer.message, ...Object.values(answer.errors ?? {}).flat()]);
  fill(node, "current", answer.current ?? []);
  fill(node, "mine", answer.mine?.length ? answer.mine : lines);
  offer(node, item);
  node.addEventListener("click", (event) => {
    const button = event.target.closest("[data-act]");
    if (button && isSure(button, event)) act(button.dataset.act, item);
  });
  return node;
}

function titleOf({ round, number, kind, state, answer }) {
  if (kind === "undo") return say(texts.undo_failed, { number });
  if (state === "claimed") return answer.message;
  return say(texts.of_round, { round, number });
}

function fill(node, name, lines) {
  const slot = node.querySelector(`[data-slot="${name}"]`);
  if (!slot) return;
  slot.textContent = lines.join(" ");
  const part = node.querySelector(`[data-part="${name}"]`);
  if (part) part.hidden = !lines.length;
}

// Only what was refused for what it says can be put right.
function offer(node, { answer }) {
  const isContent = Boolean(answer.errors);
  for (const [act, isOffered] of Object.entries({ mend: isContent, retry: !isContent })) {
    const button = node.querySelector(`[data-act="${act}"]`);
    if (button) button.hidden = !isOffered;
  }
}

// What cannot be taken back asks a second time.
function isSure(button, event) {
  const { sure } = button.dataset;
  if (!sure) return true;
  if (isSlip(event)) return false;
  if (button.textContent === sure) return true;
  button.textContent = sure;
  return false;
}

// The sheet as it will be once everything that waits is sent: the server's lines, and on top of them
// what this phone wrote. Nothing here touches the page.

import { contentSeenFrom } from "./content.js";

const addUp = (numbers) => numbers.reduce((total, number) => total + number, 0);
const BLANK = { has: false, counts: false, undo: "", content: null };

// `lines` are the server's with what waits on top; `next` is the one to be written, null when the
// sheet is full; `last` the last one on which something stands; `isChanged` whether anything waits.
export function ledgerOf(data, items) {
  const lines = data.lines.map((line) => lineOf(line, data));
  const own = items.filter((item) => isOfSheet(item, data));
  for (const kept of own) {
    const item = kept.content ? { ...kept, content: contentSeenFrom(kept.content, data) } : kept;
    const line = lines.find(({ number }) => number === item.number);
    if (!line) continue;
    if (isShown(item, line)) remember(item, line);
    else put(item, line);
  }
  keepOneWaived(lines);
  return {
    lines,
    next: nextOf(lines, data),
    last: [...lines].reverse().find(({ has }) => has) ?? null,
    isChanged: lines.some(({ content, isUndone }) => content || isUndone),
    totals: totalsOf(lines, data),
  };
}

// Whether it was written on this sheet, where each side has its own for the same side: a phone that
// changed hands still has what it wrote for the other one.
export const isOfSheet = (item, { sheet, side }) =>
  item.sheet === sheet && (item.side ?? side) === side;

export const whoScores = ({ three, columns }) => (three ? ["N", "E", "S"] : columns);

// What everybody has so far, from line to line.
export function runningOf(lines, data) {
  const running = Object.fromEntries(whoScores(data).map((who) => [who, 0]));
  return lines.map((line) => {
    for (const who of Object.keys(running)) running[who] += line.score?.[who] ?? 0;
    return { ...running };
  });
}

const lineOf = (line, { url }) => ({
  ...line,
  base: line.version,
  url: `${url}deals/${line.number}/`,
  isWaiting: false,
});

// Whether the server's sheet already has it, or has something later in its place.
function isShown({ state, version, seen_version: seen }, line) {
  if (state === "sent") return line.base >= version;
  return state !== "waiting" || line.base > seen;
}

// What the server's line said before, where this phone wrote that: an undo that waits goes back to it.
function remember({ kind, content, state, version }, line) {
  if (kind !== "write" || state !== "sent" || version !== line.base - 1) return;
  const before = { ...line };
  write(content, before);
  line.before = { ...before, before: undefined };
}

function put({ kind, content, seen_version: seen, state }, line) {
  if (kind === "undo") takeBack(line);
  else write(content, line);
  line.version = seen + 1;
  line.isWaiting = state === "waiting";
}

function write(content, line) {
  const about = { ...line.about, replays: content.replays };
  const before = { ...line };
  Object.assign(line, { before, content, score: null, theirs: false, ...content, about });
}

function takeBack(line) {
  line.isUndone = true;
  if (line.before) Object.assign(line, line.before);
  else if (line.undo !== "before") Object.assign(line, BLANK, { score: null });
}

// The first reneging is let off once: one that waits uses it up for every other deal.
function keepOneWaived(lines) {
  const used = lines.find(({ content }) => content?.isFirstOffenceWaived);
  if (!used) return;
  for (const line of lines) {
    if (line !== used) line.about = { ...line.about, waives_first_offence: false };
  }
}

function nextOf(lines, data) {
  const most = Math.max(...Object.values(totalsOf(lines, data)));
  if (!data.open || (data.target && most >= data.target)) return null;
  return lines.find(({ counts }) => !counts) ?? null;
}

function totalsOf(lines, data) {
  const of = (who) => addUp(lines.map(({ score }) => score?.[who] ?? 0));
  return Object.fromEntries(whoScores(data).map((who) => [who, of(who)]));
}

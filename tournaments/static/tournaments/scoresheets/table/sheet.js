// Draws what waits into the lines of the sheet, and what every total is with it.

import { runningOf, whoScores } from "./ledger.js";
import { number, texts } from "./words.js";

export function drawSheet(layer, ledger, data) {
  const running = runningOf(ledger.lines, data);
  ledger.lines.forEach((line, place) => {
    const row = document.getElementById(`deal-${line.number}`);
    if (!row) return;
    layer.over(row).classList.toggle("now", line === ledger.next);
    drawLine(row, line, data);
    if (line.score) drawRunning(row, line, running[place], data);
  });
  if (!data.three) drawTotals(layer, ledger, data);
}

function drawLine(row, line, data) {
  const cells = [...row.cells];
  if (line.content) drawContent(cells, line.content, data);
  else if (line.isUndone && !line.has) cells.slice(1).forEach((cell) => cell.replaceChildren());
  row.classList.toggle("waits", line.isWaiting);
  if (line.isWaiting) cells[1].append(" ", mark(texts.waits, "mark mark-waits"));
  if (line.has && data.open) link(cells[0], line, data);
}

function drawContent([, player, ...figures], content, { three }) {
  player.replaceChildren(...suitOf(content.trump), content.player);
  if (content.note) player.append(" ", mark(content.note));
  // After each side's points and roem stands what it has so far; of three people all the way back.
  const places = three ? [0, 2] : [0, 3];
  places.forEach((place, index) => {
    const { points, roem, mark: word, isNat } = content.cells?.[index] ?? { points: "", roem: "" };
    figures[place].replaceChildren(points);
    if (word) figures[place].append(" ", mark(word, isNat ? "mark mark-nat" : "mark"));
    figures[place + 1].textContent = roem;
  });
  if (!content.score) figures.filter(isRunning).forEach((cell) => cell.replaceChildren());
}

const isRunning = (cell) => cell.classList.contains("running");

function drawRunning(row, line, running, data) {
  if (!line.counts) return;
  const places = [...row.cells].filter(isRunning);
  whoScores(data).forEach((who, index) => {
    places[index].textContent = number(running[who]);
  });
}

// The suit as the form draws it.
function suitOf(trump) {
  const drawn = document.querySelector(`.deal-trump label:has(input[value="${trump}"]) span`);
  if (!trump || !drawn) return [];
  return [...[...drawn.childNodes].map((node) => node.cloneNode(true)), " "];
}

function mark(word, className = "mark") {
  const made = document.createElement("span");
  made.className = className;
  made.textContent = word;
  return made;
}

function link(cell, line, { url }) {
  if (cell.querySelector("a")) return;
  const made = document.createElement("a");
  made.href = `${url}deals/${line.number}/`;
  made.append(mark(`${texts.deal} `, "visually-hidden"), String(line.number));
  cell.replaceChildren(made);
}

function drawTotals(layer, { lines, totals }, { columns }) {
  const cells = [...document.querySelectorAll("#table-sheet tfoot td")];
  const column = (part, side) => lines.map((line) => line[part]?.[side] ?? 0);
  const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
  const shown = columns.flatMap((side, index) => [
    sum(column("points", index)),
    sum(column("roem", index)),
    totals[side],
  ]);
  shown.forEach((total, place) => {
    if (cells[place]) layer.over(cells[place]).textContent = number(total);
  });
}

// Draws at the top of the page who is ahead, which deal and folder it is, who deals and who leads.

import { whoScores } from "./ledger.js";
import { number, say, texts } from "./words.js";

// `dealt` is the line whose dealer to name: the next one, or one that is corrected.
export function drawTop(layer, ledger, data, dealt) {
  if (ledger.isChanged) drawSides(layer, ledger.totals, data);
  drawPlace(layer, ledger.next, data);
  if (dealt) drawDealer(layer, dealt);
  if (dealt?.folder) drawFolder(layer, dealt, data.lines.length);
}

function drawSides(layer, totals, data) {
  const order = whoScores(data).map((who) => totals[who]);
  const [first, second] = [...order].sort((a, b) => b - a);
  document.querySelectorAll("#table-top .sides > div").forEach((side, place) => {
    const leads = order[place] === first && first > second;
    layer.over(side).classList.toggle("leads", leads);
    side.querySelector(".total").textContent = number(order[place]);
    side.querySelector(".ahead")?.remove();
    if (leads) side.querySelector(".names").append(" ", ahead(first - second));
  });
}

function ahead(lead) {
  const made = document.createElement("span");
  made.className = "ahead";
  made.textContent = say(texts.ahead, { points: number(lead) });
  return made;
}

function drawPlace(layer, next, data) {
  const place = layer.over(document.querySelector("[data-place]"));
  if (!place) return;
  const planned = data.lines.length;
  const words = data.target ? texts.place : texts.place_of;
  place.textContent = next ? ` · ${say(words, { number: next.number, planned })}` : "";
}

function drawFolder(layer, { folder, number: deal }, planned) {
  const [name, place] = document.querySelectorAll("#table-top .deal-folder > *");
  if (!place) return;
  layer.over(name).textContent = say(texts.folder, { folder });
  layer.over(place).textContent = say(texts.folder_deal, { number: deal, planned });
}

function drawDealer(layer, { dealer, forehand, about }) {
  const names = document.querySelectorAll("#table-top .deal-dealer > strong");
  [dealer, forehand].forEach((seat, place) => {
    if (names[place]) layer.over(names[place]).textContent = about.names[seat];
  });
}

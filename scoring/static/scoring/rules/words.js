// Says in words what a deal comes to and why, and what is wrong with it. The sentences themselves
// are the server's: `texts` has its phrases, terms, messages and names of seats, `people` what the
// sides and the seats are called and the club's word for pit.

import { finedSeat, neededBid, strengths, sum } from "./deal.js";
import { otherSide, SIDES } from "./seats.js";
import { scoreOf, termsOf } from "./settle.js";

const fill = (text, words) => text.replace(/\{(\w+)\}/g, (_, name) => words[name]);
const minus = (points) => String(points).replace("-", "−");
const capital = (line) => line.slice(0, 1).toUpperCase() + line.slice(1);

// What is wrong, or unlikely: the text by the fault's own reason, else by its field, else its code.
export function message({ code, field, params }, texts, pit) {
  const keys = [`${code}:${params.why}`, `${code}:${field.split(".")[0]}`, code];
  const text = texts.messages[keys.find((key) => key in texts.messages)];
  const seat = params.seat && texts.seats[params.seat];
  return fill(text, { pit, ...params, seat });
}

// The lines a person would say: what was taken and decided, then fines and corrections.
export function explain(result, texts, people) {
  const say = (phrase, words) => fill(texts.phrases[phrase], { pit: people.pit, ...words });
  const context = { result, texts, people, say };
  return [...verdictLines(context), ...accusations(context), ...corrections(context)].map(capital);
}

function verdictLines(context) {
  const { result, people, say } = context;
  const { verdict, deal } = result;
  if (verdict === "void") return [accused(context, "void_reneged", deal.reneged) || say("void")];
  if (verdict === "nat") return natLines(context);
  if (verdict === "made" || verdict === "failed") {
    const named = withBid(result, verdict);
    const phrase = verdict === "made" ? onPoints(result, named) : named;
    return [say(phrase, { score: scoreWords(context, deal.declarers), bid: deal.bid })];
  }
  const worth = (side) => sum(result.shares[side]);
  const winner = worth("EW") > worth("NS") ? "EW" : "NS";
  const culprit = verdict === "unproven" ? deal.accused_wrongly_by : deal.reneged;
  return [say(verdict, { score: scoreWords(context, winner), seat: people.seats[culprit] })];
}

// What was taken, where that was counted, and what is written for it.
function natLines(context) {
  const { result, say } = context;
  const { declarers } = result.deal;
  const score = scoreWords(context, otherSide(declarers));
  const isLost = result.regulation.nat_roem === "lost" && result.roem[declarers];
  return [whyNat(context), isLost ? say("roem_lost", { score }) : score];
}

function whyNat(context) {
  const { result, say } = context;
  const { taken, roem, regulation, deal } = result;
  if (!taken) return say("nat_uncounted");
  const counts = strengths(taken, roem, regulation);
  const sideWords = (side) =>
    sumWords(context, side, [["points", taken[side]], ["roem", roem[side]]]);
  const words = [deal.declarers, otherSide(deal.declarers)].map(sideWords).join(", ");
  const us = deal.declarers;
  const isMore = counts[us] > counts[otherSide(us)];
  const phrase = counts.NS === counts.EW ? "equal" : "nat";
  const named = isMore ? withBid(result, phrase) : phrase;
  return say(onPoints(result, named), { taken: words, bid: deal.bid });
}

// The phrase that names the bid, where one was written.
const withBid = ({ deal, regulation }, phrase) =>
  neededBid(deal, regulation) ? `${phrase}_bid` : phrase;

// The phrase that says so where there is roem and card points alone decided.
function onPoints({ regulation, roem }, phrase) {
  const alone = regulation.nat && !regulation.nat_counts_roem;
  return alone && (roem.NS || roem.EW) ? `${phrase}_on_points` : phrase;
}

// What reneging, or an accusation, cost in a deal that was not lost by it.
function accusations(context) {
  const { deal, regulation, verdict } = context.result;
  if (verdict === "void") return [];
  const points = regulation.reneging_fine;
  return [
    accused(context, "fined", finedSeat(deal, regulation), { points }),
    regulation.reneging === "none" && accused(context, "reneged_unpunished", deal.reneged),
    regulation.unproven_reneging === "none" &&
      accused(context, "unproven_unpunished", deal.accused_wrongly_by),
  ].filter(Boolean);
}

function accused({ people, say }, phrase, seat, words) {
  return seat ? say(phrase, { ...words, seat: people.seats[seat] }) : "";
}

function corrections({ result, people, say }) {
  const lines = result.deal.corrections.map(({ seat, side, points, reason }) =>
    say(reason ? "correction_because" : "correction", {
      who: seat ? people.seats[seat] : people.sides[side],
      points: `${points >= 0 ? "+" : ""}${minus(points)}`,
      reason,
    }),
  );
  if (!result.deal.corrections.some(({ side }) => side)) return lines;
  const score = scoreOf(result);
  const written = SIDES.map((side) => `${people.sides[side]} ${minus(score[side])}`).join(", ");
  return [...lines, say("written", { score: written })];
}

// What both sides get: wij 162 + 20 roem + 100 pit = 282, zij 0.
function scoreWords(context, first) {
  const sides = [first, otherSide(first)];
  return sides.map((side) => sumWords(context, side, termsOf(context.result, side))).join(", ");
}

// A side and what it has: wij 97 + 70 roem = 167.
function sumWords({ texts, people }, side, terms) {
  const names = { ...texts.terms, pit: people.pit };
  const some = terms.filter(([, points]) => points);
  const written = some.map(([kind, points]) => `${points} ${names[kind]}`.trim()).join(" + ");
  const total = some.length > 1 ? ` = ${sum(some.map(([, points]) => points))}` : "";
  return `${people.sides[side]} ${written || 0}${total}`;
}

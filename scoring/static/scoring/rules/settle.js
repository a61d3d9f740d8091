// Works a deal out: nat, pit, penalties, and what each side gets.

import {
  cardPoints,
  finedSeat,
  isLostByReneging,
  isVoid,
  losingSeat,
  neededBid,
  roemSums,
  strengths,
  sum,
  takenPoints,
} from "./deal.js";
import { bySide, otherSide, sideOf } from "./seats.js";

const NOTHING = [0, 0, 0, 0];
const KINDS = ["points", "roem", "roem"];
const BONUS = { pit: "pit", counter_pit: "pit", nil_made: "nil" };

// What a deal without faults comes to. `shares` is what each side gets: the points of cards, what
// comes on top for reneging, roem, a bonus.
export function settle(deal, regulation) {
  const total = cardPoints(deal, regulation);
  const result = settled(deal, regulation, total);
  return { deal, regulation, taken: null, nat: false, pit: null, ...result };
}

function settled(deal, regulation, total) {
  if (isVoid(deal, regulation)) {
    return { verdict: "void", roem: bySide(() => 0), shares: bySide(() => NOTHING) };
  }
  const loser = losingSeat(deal, regulation);
  if (loser) return penalty(deal, regulation, total, otherSide(sideOf(loser)));
  return deal.nil ? nil(deal, regulation, total) : count(deal, regulation, total);
}

function penalty(deal, regulation, total, winner) {
  const proven = isLostByReneging(deal, regulation);
  const kept = proven && regulation.reneging === "deal_lost_with_roem";
  const sums = roemSums(deal);
  const roem = bySide((side) => (kept && side === winner ? sums[side] : 0));
  const shares = allTo(winner, [total, regulation.reneging_roem, roem[winner], 0]);
  return { verdict: proven ? "reneged" : "unproven", roem, shares };
}

function nil(deal, regulation, total) {
  const roem = roemSums(deal);
  const read = { taken: takenPoints(deal, total), roem, pit: deal.pit ?? null };
  if (deal.nil === "made") {
    const shares = allTo(deal.declarers, [0, 0, 0, regulation.nil_bonus]);
    return { ...read, verdict: "nil_made", shares };
  }
  const shares = allTo(otherSide(deal.declarers), [total, 0, roem.NS + roem.EW, 0]);
  return { ...read, verdict: "nil_failed", shares };
}

function count(deal, regulation, total) {
  const taken = takenPoints(deal, total);
  const points = taken ?? bySide(() => 0);
  const roem = roemSums(deal);
  const counts = strengths(points, roem, regulation);
  const us = deal.declarers;
  const them = otherSide(us);
  // Roem that a side held itself does not undo the tricks: who made pit made the deal.
  const made = counts[us] > counts[them] && counts[us] >= neededBid(deal, regulation);
  const more = deal.pit ? deal.pit === us : made;
  const enough = more && !deal.nat;
  const [verdict, bonus] = decide(deal, regulation, enough, points[them] + roem[them]);
  const nat = regulation.nat && !enough;
  const lost = regulation.nat_roem === "opponents" ? roem[us] : 0;
  const shares = nat
    ? allTo(them, [total, 0, roem[them] + lost, bonus])
    : bySide((side) => [points[side], 0, roem[side], (side === us) === enough ? bonus : 0]);
  return { verdict, nat, pit: deal.pit ?? null, taken, roem, shares };
}

// What decides, and the bonus of who wins; `left` is what the defenders took.
function decide(deal, regulation, enough, left) {
  if (deal.pit && enough) return ["pit", regulation.pit_bonus];
  if (deal.pit) return ["counter_pit", regulation.counter_pit_bonus];
  if (enough) return ["made", left ? 0 : regulation.shutout_bonus];
  return [regulation.nat ? "nat" : "failed", 0];
}

const allTo = (winner, share) => bySide((side) => (side === winner ? share : NOTHING));

// What makes up the score of a side before corrections, by name; nothing of 0.
export function termsOf({ verdict, shares }, side) {
  const kinds = [...KINDS, BONUS[verdict] ?? "shutout"];
  return kinds.map((kind, place) => [kind, shares[side][place]]).filter(([, points]) => points);
}

export function scoreOf({ deal, shares }) {
  const given = (side) => deal.corrections.filter((one) => one.side === side);
  return bySide((side) => sum(shares[side]) + sum(given(side).map(({ points }) => points)));
}

// What everyone who sits at the table gets: his side's score, fines and corrections.
export function playersOf(result) {
  const { deal, regulation } = result;
  const score = scoreOf(result);
  const players = Object.fromEntries(deal.seats.map((seat) => [seat, score[sideOf(seat)]]));
  const culprit = finedSeat(deal, regulation);
  if (culprit in players) players[culprit] -= regulation.reneging_fine;
  for (const { seat, points } of deal.corrections) {
    if (seat) players[seat] += points;
  }
  return players;
}

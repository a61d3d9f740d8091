// A deal as a score sheet has it, and what the cards gave each side.

import { bySide, otherSide, SEATS, SIDES, sideOf } from "./seats.js";

export const TRUMP_DEAL = 162;
export const NO_TRUMP_DEAL = 130;

export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
export const fault = (code, field, params = {}) => ({ code, field, params });

// The line with every part in its place; what the sheet says nothing of is empty.
export function dealOf(line) {
  return {
    nat: false,
    replayed: false,
    replays: 0,
    ...line,
    declarers: sideOf(line.declarer),
    points: given(line.points, (taken) => taken != null),
    roem: given(line.roem, (items) => items?.length),
    corrections: line.corrections ?? [],
    seats: line.seats ?? SEATS,
  };
}

function given(bySides, says) {
  const sides = SIDES.filter((side) => bySides && says(bySides[side]));
  return Object.fromEntries(sides.map((side) => [side, bySides[side]]));
}

export const isCounted = (deal) => Object.keys(deal.points).length > 0;

// Of a sheet that does not say what was trump, a deal of 130 points was without, where that is
// allowed.
export function cardPoints(deal, regulation) {
  if (deal.trump === "NT") return NO_TRUMP_DEAL;
  const both = Object.values(deal.points);
  const unknown = regulation.no_trump && deal.trump == null && both.length === 2;
  return unknown && sum(both) === NO_TRUMP_DEAL ? NO_TRUMP_DEAL : TRUMP_DEAL;
}

// What both sides took, of which one may have counted; null where neither did.
export function countedPoints(deal, total) {
  if (!isCounted(deal)) return null;
  return bySide((side) => deal.points[side] ?? total - deal.points[otherSide(side)]);
}

// As counted, or else by the pit.
export function takenPoints(deal, total) {
  if (isCounted(deal) || !deal.pit) return countedPoints(deal, total);
  return bySide((side) => (side === deal.pit ? total : 0));
}

// What the declarers must have at least, by their bid; 0 where bids are not written.
export const asksBid = ({ bidding, bid_needed }) => bidding === "free" && bid_needed;
export const neededBid = ({ bid }, regulation) => (asksBid(regulation) && bid) || 0;

export const roemSums = (deal) => bySide((side) => sum(deal.roem[side] ?? []));

// What each side brings when nat is decided.
export function strengths(points, roem, regulation) {
  return regulation.nat_counts_roem ? bySide((side) => points[side] + roem[side]) : points;
}

export const isVoid = (deal, regulation) =>
  deal.replayed || Boolean(deal.reneged && replaysReneging(regulation, deal.replays));

// Whether proved reneging costs a new deal only, in a deal that was dealt again for it `replays`
// times before.
const replaysReneging = (regulation, replays) =>
  regulation.reneging === "replay" || replays < regulation.reneges_replayed;

export const isLostByReneging = (deal, regulation) =>
  Boolean(deal.reneged) && ["deal_lost", "deal_lost_with_roem"].includes(regulation.reneging);

// Who lost the deal for his side; what was proved goes before what was not.
export function losingSeat(deal, regulation) {
  if (isLostByReneging(deal, regulation)) return deal.reneged;
  return (regulation.unproven_reneging === "deal_lost" && deal.accused_wrongly_by) || null;
}

// Who alone pays for reneging.
export function finedSeat(deal, regulation) {
  const isFined = regulation.reneging === "culprit_fined" && !isVoid(deal, regulation);
  return (isFined && deal.reneged) || null;
}

export const stands = (deal, regulation) =>
  !isVoid(deal, regulation) && !losingSeat(deal, regulation);

// What a deal on a sheet can be. A deal that can be played by the rules passes every check here.

import {
  asksBid,
  cardPoints,
  countedPoints,
  fault,
  isCounted,
  neededBid,
  roemSums,
  stands,
  strengths,
  sum,
  takenPoints,
} from "./deal.js";
import { findRoemFaults } from "./roem.js";
import { leftOf, otherSide, sideOf } from "./seats.js";

const HIGHEST_BID = 500;
const UNUSABLE = ["points_range", "points_unreachable"];
const MISCOUNTED = [...UNUSABLE, "points_sum", "roem_value"];

export function findFaults(deal, regulation) {
  if (regulation.game !== "klaverjas") return [fault("other_game", "declarer")];
  const total = cardPoints(deal, regulation);
  const faults = isCounted(deal) ? pointFaults(deal.points, total) : missing(deal, regulation);
  if (deal.trump === "NT" && !regulation.no_trump) {
    faults.push(fault("no_trump_not_allowed", "trump"));
  }
  const points = includes(faults, UNUSABLE) ? null : takenPoints(deal, total);
  faults.push(...findRoemFaults(deal, regulation, total, points));
  if (deal.pit) faults.push(...pitFaults(deal, total, faults));
  if (deal.nat) faults.push(...natFaults(deal, regulation, total, faults));
  if (deal.nil && regulation.nil_bonus === null) faults.push(fault("nil_not_allowed", "nil"));
  faults.push(...bidFaults(deal, regulation));
  if (deal.dealer) faults.push(...biddingFaults(deal, regulation));
  return [...faults, ...correctionFaults(deal)];
}

const includes = (faults, codes) => faults.some(({ code }) => codes.includes(code));

function missing(deal, regulation) {
  const says = deal.pit || deal.nat || deal.nil || !stands(deal, regulation);
  return says ? [] : [fault("missing", "points")];
}

function pointFaults(points, total) {
  const sides = Object.entries(points);
  const outside = sides.filter(([, taken]) => taken < 0 || taken > total);
  if (outside.length) {
    return outside.map(([side, taken]) =>
      fault("points_range", `points.${side}`, { points: taken, total }),
    );
  }
  const almost = sides.filter(([, taken]) => taken === 1 || taken === total - 1);
  if (almost.length) {
    return almost.map(([side, taken]) =>
      fault("points_unreachable", `points.${side}`, { points: taken, almost_all: total - 1 }),
    );
  }
  const together = sum(Object.values(points));
  if (sides.length < 2 || together === total) return [];
  return [fault("points_sum", "points", { total, sum: together })];
}

function pitFaults(deal, total, found) {
  const faults = [];
  const isWrong = ([side, taken]) => taken !== (side === deal.pit ? total : 0);
  if (Object.entries(deal.points).some(isWrong) && !includes(found, ["points_range"])) {
    faults.push(fault("pit_points", "points", { total }));
  }
  if (deal.nat && deal.pit === deal.declarers) faults.push(fault("pit_contradicts_nat", "pit"));
  return faults;
}

function natFaults(deal, regulation, total, found) {
  if (!regulation.nat) return [fault("nat_not_played", "nat")];
  const points = countedPoints(deal, total);
  if (!points || deal.nil || !stands(deal, regulation) || includes(found, MISCOUNTED)) return [];
  if (deal.pit === otherSide(deal.declarers)) return [];
  const counts = strengths(points, roemSums(deal), regulation);
  const declarers = counts[deal.declarers];
  const defenders = counts[otherSide(deal.declarers)];
  if (declarers <= defenders || declarers < neededBid(deal, regulation)) return [];
  return [fault("nat_contradicts_points", "nat", { declarers, defenders })];
}

function bidFaults(deal, regulation) {
  const { bid = null } = deal;
  if (!asksBid(regulation)) return bid === null ? [] : [fault("bid_not_allowed", "bid")];
  if (bid !== null) {
    const params = { bid, highest: HIGHEST_BID };
    return bid >= 1 && bid <= HIGHEST_BID ? [] : [fault("bid_range", "bid", params)];
  }
  const isDecided = deal.pit || deal.nat || deal.nil || !stands(deal, regulation);
  return isDecided ? [] : [fault("missing", "bid")];
}

function biddingFaults({ declarer, dealer, seats }, { bidding }) {
  if (!["forehand_must", "dealer_must"].includes(bidding)) return [];
  let seat = bidding === "dealer_must" ? dealer : leftOf(dealer);
  while (!seats.includes(seat)) seat = leftOf(seat);
  if ([seat, sideOf(seat)].includes(declarer)) return [];
  return [fault("bidding", "declarer", { why: bidding, seat })];
}

function correctionFaults({ corrections, seats }) {
  const params = (value) => ({ why: "empty_seat", value });
  return corrections.flatMap(({ seat }, place) =>
    !seat || seats.includes(seat)
      ? []
      : [fault("bad_value", `corrections.${place}.seat`, params(seat))],
  );
}

// What a deal can be and hardly ever is: it is only asked about.

import { fault } from "./deal.js";
import { bySide, partner, SIDES } from "./seats.js";

const MUCH_ROEM = 200;
const MUCH_ROEM_OF_A_SIDE = 170;
const OFTEN_ROEM = 7;
const OFTEN_ROEM_OF_A_SIDE = 6;
const LEAST_MUCH = 20 * OFTEN_ROEM_OF_A_SIDE;
// Roem of a side, and the card points up to which so much is rare.
const FEW_POINTS = [
  [140, 93],
  [120, 61],
  [100, 43],
  [70, 24],
  [40, 9],
];

export function unlikely({ deal, taken, roem, regulation }) {
  const doubts = [];
  const isPlain = !deal.pit && !deal.nil;
  if (isPlain && taken && SIDES.some((side) => taken[side] === 0)) {
    doubts.push(fault("no_points", "pit"));
  }
  doubts.push(...muchRoem(deal, roem));
  if (regulation.roem_from === "trick") doubts.push(...fewPoints(taken, roem));
  if (deal.nil && taken && (deal.nil === "made") !== (taken[deal.declarers] === 0)) {
    const params = { why: deal.nil, points: taken[deal.declarers] };
    doubts.push(fault("nil_with_points", "nil", params));
  }
  if (deal.seats.length === 3 && dummyIsElsewhere(deal)) doubts.push(fault("dummy_seat", "seats"));
  return doubts;
}

function muchRoem(deal, roem) {
  const doubts = [];
  const points = roem.NS + roem.EW;
  if (points < LEAST_MUCH) return doubts;
  if (points >= MUCH_ROEM || Math.max(roem.NS, roem.EW) >= MUCH_ROEM_OF_A_SIDE) {
    doubts.push(fault("much_roem", "roem", { points }));
  }
  const times = bySide((side) => (roem[side] ? (deal.roem[side] ?? []).length : 0));
  const count = times.NS + times.EW;
  if (count >= OFTEN_ROEM || Math.max(times.NS, times.EW) >= OFTEN_ROEM_OF_A_SIDE) {
    doubts.push(fault("often_roem", "roem", { count }));
  }
  return doubts;
}

function fewPoints(taken, roem) {
  const few = (side) => FEW_POINTS.find(([much]) => roem[side] >= much)?.[1] ?? -1;
  return SIDES.filter((side) => taken && taken[side] <= few(side)).map((side) =>
    fault("roem_with_few_points", `roem.${side}`, { roem: roem[side], points: taken[side] }),
  );
}

const dummyIsElsewhere = ({ declarer, seats }) =>
  declarer.length === 1 && seats.includes(partner(declarer));

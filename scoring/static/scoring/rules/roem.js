// Which roem a sheet can have, and the card points that it needs.

import { fault, NO_TRUMP_DEAL } from "./deal.js";
import { ALL_NO_TRUMP, ALL_TRUMP, NO_TRUMP, SIDE, TRUMP } from "./roem-table.js";
import { otherSide, SIDES } from "./seats.js";

const TRICKS = 8;
const COLUMNS = ["7", "9", "10"];
const WITH_STUK = [40, 70];
const RUNS = {
  20: ["three", "stuk"],
  40: ["three_and_stuk"],
  50: ["four"],
  70: ["four_and_stuk"],
};

export function findRoemFaults(deal, regulation, total, points) {
  const values = [20, 40, 50, 70, regulation.four_of_a_kind, regulation.four_jacks];
  const strange = valuesThatAreNone(deal, values);
  if (strange.length) return strange;
  const noTrump = total === NO_TRUMP_DEAL;
  return [
    ...unreachable(deal, regulation, noTrump),
    ...shortOfPoints(deal, points, regulation, noTrump),
    ...(regulation.roem_from === "hand" ? [] : withoutTrick(deal)),
  ];
}

function valuesThatAreNone(deal, values) {
  const named = [...new Set(values)].sort((one, other) => one - other).join(", ");
  const faults = [];
  for (const [side, items] of Object.entries(deal.roem)) {
    items.forEach((points, place) => {
      const params = { points, values: named };
      if (!values.includes(points)) {
        faults.push(fault("roem_value", `roem.${side}.${place}`, params));
      }
    });
  }
  return faults;
}

function unreachable(deal, regulation, noTrump) {
  const items = Object.values(deal.roem).flat();
  const inHand = regulation.roem_from === "hand";
  const whole = inHand ? { ...regulation, roem_from: "hand_to_trick" } : regulation;
  const sides = inHand ? Object.values(deal.roem) : [];
  const fits = (own) => leastPoints(own, regulation, noTrump) !== null;
  if (leastPoints(items, whole, noTrump) !== null && sides.every(fits)) return [];
  return [fault("roem_unreachable", "roem", why(items, regulation, noTrump))];
}

function why(items, regulation, noTrump) {
  const alike = [regulation.four_of_a_kind, regulation.four_jacks];
  const withStuk = items.filter((item) => WITH_STUK.includes(item) && !alike.includes(item));
  if (noTrump && withStuk.length) return { why: "no_trump", points: withStuk[0] };
  if (withStuk.length > 1) return { why: "second_stuk" };
  if (regulation.roem_from !== "trick") return { why: "hands" };
  return items.length > TRICKS ? { why: "tricks", count: items.length } : {};
}

function shortOfPoints(deal, points, regulation, noTrump) {
  const faults = [];
  for (const side of points ? SIDES : []) {
    const items = deal.roem[side] ?? [];
    const least = leastPoints(items, regulation, noTrump);
    const params = { roem: items.join(" + "), least, points: points[side] };
    if (least !== null && points[side] < least) faults.push(fault("roem_needs_points", `roem.${side}`, params));
  }
  return faults;
}

function withoutTrick(deal) {
  const side = deal.pit && otherSide(deal.pit);
  return side && deal.roem[side] ? [fault("roem_without_trick", `roem.${side}`)] : [];
}

// The fewest card points of a side with this roem; null where no side can have it.
export function leastPoints(items, regulation, noTrump) {
  const from = regulation.roem_from;
  if (from === "trick" && items.length > TRICKS) return null;
  const costs = tableOf(from, noTrump);
  const column = COLUMNS.indexOf(regulation.four_of_a_kind_from);
  const found = demands(items, regulation)
    .filter(([row]) => !(noTrump && row[0] !== "0"))
    .map(([row, others]) => costs[row]?.[column][others])
    .filter((points) => points !== undefined);
  if (!found.length) return null;
  // Without trumps no card has to take a trick.
  return noTrump && from === "hand" ? 0 : Math.min(...found);
}

function tableOf(from, noTrump) {
  if (from === "hand") return SIDE;
  if (from === "hand_to_trick") return noTrump ? ALL_NO_TRUMP : ALL_TRUMP;
  return noTrump ? NO_TRUMP : TRUMP;
}

// Every way to read the items: a row of the table, and the number of fours beside jacks.
function demands(items, regulation) {
  let readings = [{}];
  for (const item of items.filter((value) => value > 0)) {
    readings = distinct(
      readings.flatMap((counts) => kindsOf(item, regulation).map((kind) => oneMore(counts, kind))),
    );
  }
  return readings.flatMap((counts) =>
    stukPlaces(counts).map((place) => [[...place, counts.jacks ?? 0].join(), counts.four_alike ?? 0]),
  );
}

const oneMore = (counts, kind) => ({ ...counts, [kind]: (counts[kind] ?? 0) + 1 });

function distinct(readings) {
  const key = (counts) => JSON.stringify(Object.entries(counts).sort());
  return [...new Map(readings.map((counts) => [key(counts), counts])).values()];
}

function kindsOf(value, { four_of_a_kind: alike, four_jacks: jacks }) {
  const kinds = [...(RUNS[value] ?? [])];
  if (value === alike) kinds.push("four_alike");
  if (value === jacks || (value === alike && alike < jacks)) kinds.push("jacks");
  return kinds;
}

// Where the stuk can be, as the table numbers it, and the runs of three and four without it.
function stukPlaces(counts) {
  const { three = 0, four = 0, three_and_stuk = 0, four_and_stuk = 0, stuk = 0 } = counts;
  const stuks = three_and_stuk + four_and_stuk + stuk;
  if (stuks > 1) return [];
  if (stuks === 0) return [[0, three, four]];
  const places = [];
  if (stuk) places.push([1, three, four]);
  if (three_and_stuk || (stuk && three)) places.push([2, three - stuk, four]);
  if (four_and_stuk || (stuk && four)) places.push([3, three, four - stuk]);
  return places;
}

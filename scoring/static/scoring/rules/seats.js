// The four seats of a table, its two sides, and how three people sit in a deal.

export const SEATS = ["N", "E", "S", "W"];
export const SIDES = ["NS", "EW"];
const THREE = ["N", "E", "S"];

export const sideOf = (who) => ("NS".includes(who) ? "NS" : "EW");
export const otherSide = (side) => (side === "NS" ? "EW" : "NS");
export const partner = (seat) => SEATS[(SEATS.indexOf(seat) + 2) % 4];
export const leftOf = (seat) => SEATS[(SEATS.indexOf(seat) + 1) % 4];

// An object with what `work` says of each side.
export const bySide = (work) => ({ NS: work("NS"), EW: work("EW") });

// On which chair each of three people sits in the deal that `declarer` plays: whoever has the seat
// opposite moves to West, so that the dummy can lie there.
export function chairsOf(declarer) {
  const chair = (seat) => (seat === partner(declarer) ? "W" : seat);
  return Object.fromEntries(THREE.map((seat) => [seat, chair(seat)]));
}

// What three people enter of a deal (NS is the declarer, EW the other two) as a line of a sheet.
export function lineOfThree(entry) {
  const { declarer } = entry;
  const chairs = chairsOf(declarer);
  const own = sideOf(declarer);
  const names = { NS: own, EW: otherSide(own), ...chairs };
  const line = { ...entry };
  for (const key of ["points", "roem"]) {
    if (entry[key]) line[key] = renamedKeys(entry[key], names);
  }
  for (const key of ["pit", "reneged", "accused_wrongly_by", "dealer"]) {
    if (entry[key]) line[key] = names[entry[key]];
  }
  if (entry.corrections) line.corrections = entry.corrections.map((one) => renamedWho(one, names));
  line.seats = SEATS.filter((seat) => Object.values(chairs).includes(seat));
  return line;
}

const renamedKeys = (figures, names) =>
  Object.fromEntries(Object.entries(figures).map(([side, figure]) => [names[side], figure]));

function renamedWho(correction, names) {
  const renamed = { ...correction };
  for (const key of ["seat", "side"]) {
    if (correction[key]) renamed[key] = names[correction[key]];
  }
  return renamed;
}

// What a deal that was just judged puts on the sheet, as scoring/sheet_view.py works it out.

import { chairsOf, otherSide, sideOf } from "../../../scoring/rules/seats.js";

const DASH = "–";

// `judged` is what preview.js says of the form, and `data` the sheet's.
// `isChange` tells whether something else stood there that the server has.
export function contentOf(judged, fields, { data, texts, about, isChange }) {
  const { line, result, verdict, shares } = judged;
  const { three } = data;
  const own = sideOf(line.declarer);
  const columns = three ? [own, otherSide(own)] : data.columns;
  const isVoid = verdict === "void";
  const cells = columns.map((side) => cellOf(side, judged, own, texts));
  return {
    has: true,
    counts: !isVoid,
    fields,
    columns,
    declarer: line.declarer,
    bid: line.bid ? ` ${line.bid}` : "",
    isFirstOffenceWaived: isVoid && Boolean(line.reneged) && !line.replayed,
    words: isVoid ? texts.replayed : columns.map((side) => result.score[side]).join(DASH),
    points: columns.map((side) => shares[side][0]),
    roem: columns.map((side) => roemOf(shares[side])),
    score: isVoid ? null : scoreOf(result, line, three),
    cells: isVoid ? null : cells,
    trump: line.trump ?? "",
    player: isVoid && !line.reneged ? "" : playerOf(line, about, data),
    note: noteOf(line, isVoid, texts) || (isChange ? texts.marked : ""),
    replays: about.replays + (isVoid && line.reneged ? 1 : 0),
    undo: "blank",
  };
}

// The same from another chair: the phone may have changed hands since it was written.
export function contentSeenFrom(content, { three, columns, sides }) {
  const { player, declarer, bid = "", words, points, roem, cells } = content;
  if (three || !content.columns || content.columns[0] === columns[0]) return content;
  const turned = (pair) => pair && [...pair].reverse();
  return {
    ...content,
    columns,
    player: player && declarer.length > 1 ? sides[declarer] + bid : player,
    words: cells ? turned(words.split(DASH)).join(DASH) : words,
    points: turned(points),
    roem: turned(roem),
    cells: turned(cells),
  };
}

const playerOf = ({ declarer, bid }, { names }, { sides }) =>
  (declarer.length > 1 ? sides[declarer] : names[declarer]) + (bid ? ` ${bid}` : "");

const roemOf = (share) => share.slice(1).reduce((total, points) => total + points, 0);

function noteOf(line, isVoid, texts) {
  if (isVoid) return texts.replayed;
  return line.corrections?.length ? texts.corrected : "";
}

function scoreOf({ score, players }, { declarer }, three) {
  if (!three) return score;
  const seats = Object.entries(chairsOf(declarer));
  return Object.fromEntries(seats.map(([seat, chair]) => [seat, players[chair]]));
}

// `mark` stands beside the points, or in their place where the side is nat.
function cellOf(side, { line, result, shares }, own, texts) {
  const isNat = result.nat && side === own;
  return {
    points: isNat ? "" : String(shares[side][0]),
    roem: roemOf(shares[side]) ? String(roemOf(shares[side])) : "",
    mark: markOf(side, line, result, own, texts),
    isNat,
  };
}

function markOf(side, line, result, own, texts) {
  if (side === own && line.nil) return line.nil === "made" ? texts.nil_made : texts.nil_failed;
  const culprit = line.reneged || line.accused_wrongly_by;
  if (culprit && sideOf(culprit) === side) return line.reneged ? texts.reneged : texts.accused;
  if (result.pit === side) return side === own ? texts.pit : texts.counter_pit;
  return result.nat && side === own ? texts.nat : "";
}

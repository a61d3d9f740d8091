// Evaluates the fields of a deal in the browser, with the same outcome as scoring/deals/phone.py.
//
// `about` is the JSON that the page embeds (`phone_rules` there): the regulation, the texts, and
// the data of this deal, such as who sits where.

import { answerOf, workOut } from "../rules/evaluate.js";
import { chairsOf, lineOfThree, otherSide, sideOf } from "../rules/seats.js";
import { explain, message } from "../rules/words.js";

const SIDES = { ns: "NS", ew: "EW" };
const MARKS = ["pit", "reneged", "accused_wrongly_by", "nil"];
const FLAGS = ["nat", "replayed"];
const WHOLE = /^[+-]?\d+(\.0*)?$/;
const ROEM = /^\d{1,9}$/;
const MOST_ROEM = 60;

// `lines` say what will be written and `doubts` what is unlikely about it; where it cannot be
// written, `wanted` says what is missing and `faults` what is impossible. `line` is the deal as the
// contract has it, `digest` identifies it, `result` is the contract's answer; null where there is
// none. `verdict` and `shares` explain the result: see settle.js.
// `fields` are FormData, or a Map of texts by name.
export function judgeFields(fields, about) {
  const { entered, unclear } = read(fields, about);
  const nothing = { valid: false, lines: [], doubts: [], wanted: [], faults: [] };
  const noResult = { ...nothing, line: null, result: null, digest: "" };
  if (unclear.length || !entered.declarer) {
    const wanted = entered.declarer ? [] : [about.texts.who];
    return { ...noResult, wanted, faults: unclear };
  }
  const line = about.three ? lineOfThree(entered) : entered;
  const isFirstOffenceWaived = Boolean(about.deal.waives_first_offence && line.reneged && !line.replayed);
  const counted = about.deal.replays ? { ...line, replays: about.deal.replays } : line;
  const settled = isFirstOffenceWaived ? { ...counted, replayed: true } : counted;
  const { faults, result, warnings } = workOut(settled, about.regulation);
  const say = (fault) => message(fault, about.texts, about.pit);
  if (!result) {
    const isWanted = ({ code }) => code === "missing";
    const wanted = faults.filter(isWanted).map(say);
    return { ...noResult, line, wanted, faults: faults.filter((fault) => !isWanted(fault)).map(say) };
  }
  const words = explain(result, about.texts, peopleOf(line.declarer, about));
  return {
    ...nothing,
    valid: true,
    lines: isFirstOffenceWaived ? [about.texts.first_offence_waived, ...words] : words,
    doubts: [...warnings.map(say), ...sheetDoubts(line, about)],
    line,
    result: answerOf(result, warnings),
    verdict: result.verdict,
    shares: result.shares,
    digest: canonical(line),
  };
}

// What the fields say, and a text for each field that cannot be read.
function read(fields, { texts, deal }) {
  const unclear = [];
  const value = (name) => (fields.get(name) ?? "").trim();
  const entered = { ...deal.unasked, declarer: value("declarer"), trump: value("trump") || null };
  for (const [end, side] of Object.entries(SIDES)) {
    const items = value(`roem_${end}`).split(/[\s+,]+/).filter(Boolean);
    const areNumbers = items.every((item) => ROEM.test(item));
    if (!areNumbers || items.length > MOST_ROEM) unclear.push(texts.roem);
    else if (items.length) entered.roem = { ...entered.roem, [side]: items.map(Number) };
  }
  for (const [end, side] of Object.entries(SIDES)) {
    const points = value(`points_${end}`);
    if (points && !WHOLE.test(points)) unclear.push(texts.points);
    else if (points) entered.points = { ...entered.points, [side]: parseInt(points, 10) };
  }
  const bid = value("bid");
  if (bid && !WHOLE.test(bid)) unclear.push(texts.points);
  else if (bid) entered.bid = parseInt(bid, 10);
  for (const mark of MARKS) if (value(mark)) entered[mark] = value(mark);
  for (const flag of FLAGS) if (fields.has(flag)) entered[flag] = true;
  return { entered, unclear };
}

// The names of the sides and of the people on their chairs.
function peopleOf(declarer, { three, deal, sides, pit, texts }) {
  const { names } = deal;
  if (!three) return { seats: names, sides, pit };
  const chairs = Object.entries(chairsOf(declarer));
  const [first, second] = chairs.filter(([seat]) => seat !== declarer).map(([seat]) => names[seat]);
  const own = sideOf(declarer);
  const both = texts.each.replace("{one}", first).replace("{other}", second);
  return {
    seats: Object.fromEntries(chairs.map(([seat, chair]) => [chair, names[seat]])),
    sides: { [own]: names[declarer], [otherSide(own)]: both },
    pit,
  };
}

function sheetDoubts({ trump }, { deal }) {
  const { first_trump: first } = deal;
  return first && trump && trump !== first.suit ? [first.words] : [];
}

// The line as one text, the same whatever the order of its keys.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

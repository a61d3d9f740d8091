// What a line of a score sheet comes to under a regulation, both as the contract has them
// (docs/api.md) and of the right shape: a form or the server made them.

import { findFaults } from "./checks.js";
import { dealOf } from "./deal.js";
import { bySide } from "./seats.js";
import { playersOf, scoreOf, settle } from "./settle.js";
import { unlikely } from "./unlikely.js";

// The faults, or the result that `explain` puts in words and what is unlikely about it.
export function workOut(line, regulation) {
  const deal = dealOf(line);
  const faults = findFaults(deal, regulation);
  if (faults.length) return { faults, result: null, warnings: [] };
  const result = settle(deal, regulation);
  return { faults, result, warnings: unlikely(result) };
}

// The contract's answer, with the code and the field of each error and warning.
export function evaluate(line, regulation) {
  const { faults, result, warnings } = workOut(line, regulation);
  if (!result) return { valid: false, errors: faults.map(named) };
  return answerOf(result, warnings);
}

const named = ({ code, field }) => ({ code, field });

export function answerOf(result, warnings) {
  const answer = {
    valid: true,
    nat: result.nat,
    pit: result.pit,
    points: bySide((side) => result.taken?.[side] ?? null),
    roem: result.roem,
    score: scoreOf(result),
    players: playersOf(result),
  };
  return warnings.length ? { ...answer, warnings: warnings.map(named) } : answer;
}

// What a line comes to before the server has seen it, by the same rules.

import { judgeFields } from "../../../scoring/deals/judge.js";

const UNKNOWN = { score: "", marks: [] };
const FLAGS = ["nat", "replayed"];

export function judge({ mark, ...typed }, rules, deal) {
  if (mark === "kept") return UNKNOWN;
  const [said, who] = mark.split(":");
  const fields = new Map(Object.entries(typed));
  if (said && (who || FLAGS.includes(said))) fields.set(said, who ?? "on");
  const { result, line, verdict } = judgeFields(fields, { ...rules, deal });
  if (!result || verdict === "void") return UNKNOWN;
  const sides = rules.three && line.declarer === "E" ? ["EW", "NS"] : ["NS", "EW"];
  const marks = result.nat && !result.pit ? [rules.nat] : [];
  return { score: sides.map((side) => result.score[side]).join("–"), marks };
}

// Puts a deal into the form, or takes all of it out, as if it was tapped.

const SERVERS = new Set(["csrfmiddlewaretoken", "seen_version", "uuid", "device", "previewed"]);

const isTapped = ({ name, type }) => name && type !== "submit" && !SERVERS.has(name);
const isMark = ({ type }) => type === "radio" || type === "checkbox";

// What somebody filled in, as pairs of a name and a value.
export function filledIn(form) {
  return [...new FormData(form)].filter(([name, value]) => !SERVERS.has(name) && value !== "");
}

export function fillDeal(form, pairs) {
  const values = new Map(pairs);
  const told = [...form.elements].filter((input) => isTapped(input) && put(input, values));
  for (const input of told) input.dispatchEvent(new Event("input", { bubbles: true }));
  form.dispatchEvent(new Event("filled"));
}

export function clearDeal(form) {
  fillDeal(form, []);
}

// Whether there is something to tell: it holds something now, or did before.
function put(input, values) {
  const value = values.get(input.name) ?? "";
  const [what, now] = isMark(input) ? ["checked", value === input.value] : ["value", value];
  const before = input[what];
  input[what] = now;
  return Boolean(now || before);
}

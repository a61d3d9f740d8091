// Fills the form with a deal, or clears it, as if it had been tapped in.

const SERVER_FIELDS = new Set(["csrfmiddlewaretoken", "seen_version", "uuid", "device", "previewed"]);

const isTapped = ({ name, type }) => name && type !== "submit" && !SERVER_FIELDS.has(name);
const isMark = ({ type }) => type === "radio" || type === "checkbox";

// What somebody filled in, as pairs of a name and a value.
export function filledIn(form) {
  return [...new FormData(form)].filter(([name, value]) => !SERVER_FIELDS.has(name) && value !== "");
}

export function fillDeal(form, pairs) {
  const values = new Map(pairs);
  const changed = [...form.elements].filter((input) => isTapped(input) && put(input, values));
  for (const input of changed) input.dispatchEvent(new Event("input", { bubbles: true }));
  form.dispatchEvent(new Event("filled"));
}

export function clearDeal(form) {
  fillDeal(form, []);
}

// Set an input; whether an event is due: it holds a value now, or did before.
function put(input, values) {
  const value = values.get(input.name) ?? "";
  const [what, now] = isMark(input) ? ["checked", value === input.value] : ["value", value];
  const before = input[what];
  input[what] = now;
  return Boolean(now || before);
}

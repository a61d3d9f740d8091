// What was typed and is not written yet, kept in this tab so that a reload loses nothing.

const PREFIX = "grid:";
const HERE = PREFIX + location.pathname;

function read(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key)) ?? {};
  } catch {
    return {};
  }
}

// The drafts of this sheet by the number of the deal.
export const drafts = () => read(HERE);

// Keep the draft of a deal; none takes away what was kept.
export function keep(number, draft) {
  const kept = drafts();
  if (draft) kept[number] = draft;
  else delete kept[number];
  try {
    if (Object.keys(kept).length) sessionStorage.setItem(HERE, JSON.stringify(kept));
    else sessionStorage.removeItem(HERE);
  } catch {
    // A tab without storage still has what stands in its boxes.
  }
}

// The addresses of other sheets with drafts.
export const elsewhere = () =>
  Object.keys(sessionStorage)
    .filter((key) => key.startsWith(PREFIX) && key !== HERE)
    .map((key) => key.slice(PREFIX.length));

// Throw away what was typed on those.
export function forgetElsewhere() {
  for (const path of elsewhere()) sessionStorage.removeItem(PREFIX + path);
}

// A trembling thumb taps twice. What takes something away hears only the first of two taps.

const SLIP = 1000;
let last = -SLIP;

// Something was done just now: the next tap may still belong to that one.
export function acted() {
  last = performance.now();
}

// Whether this tap comes so soon after one that took something away that nobody meant it.
export function isSlip() {
  const now = performance.now();
  if (now - last < SLIP) return true;
  last = now;
  return false;
}

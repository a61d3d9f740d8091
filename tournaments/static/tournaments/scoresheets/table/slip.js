// A trembling thumb taps twice. What takes something away hears only the first of two taps.

const SLIP = 1000;
let last = -SLIP;

// Something was done just now: the next tap may still belong to that one.
export function acted() {
  last = performance.now();
}

// Whether this tap comes so soon after one that took something away that nobody meant it. It counts
// when the thumb came down: a slow phone hears of it later.
export function isSlip({ timeStamp }) {
  if (timeStamp - last < SLIP) return true;
  last = timeStamp;
  return false;
}

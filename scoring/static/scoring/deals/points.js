// Card points by number pad: one side is typed, the other side follows.
// Returns the side being counted and a function to fill in its points; null without a pad.

const CARD_POINTS = { NT: 130 };
const TRUMP_DEAL = 162;
const TYPED_IN = "input:not([type=radio], [type=checkbox]), textarea, select, dialog *";

export function countPoints(form) {
  const pad = form.querySelector("[data-pad]");
  if (!pad) return null;
  const boxes = Object.fromEntries(
    [...form.querySelectorAll("[data-count]")].map((box) => [
      box.dataset.count,
      { box, input: box.querySelector("input") },
    ]),
  );
  const other = { NS: "EW", EW: "NS" };
  // Of three people the declarer has the first column, wherever they sit.
  const players = "threeHanded" in form.dataset ? ["N", "E", "S"] : ["NS", "N", "S"];
  const sideOf = (seat) => (players.includes(seat) ? "NS" : "EW");
  const isEmpty = () => Object.keys(other).every((side) => !boxes[side].input.value);
  let active;
  let fresh; // the next digit starts a new number

  function total() {
    return CARD_POINTS[form.elements.trump.value] ?? TRUMP_DEAL;
  }

  function fillOther() {
    for (const side of Object.keys(other)) {
      const { input } = boxes[side];
      const counted = boxes[other[side]].input.value;
      const rest = total() - Number(counted);
      input.placeholder = counted && rest >= 0 ? rest : "";
    }
  }

  // Where the first digit goes: the bid, where one is written; then the side that counts, which are
  // the defenders, unless the other side is typed already.
  function counts() {
    if (isEmpty() && boxes.bid && !boxes.bid.input.value) return "bid";
    const declarer = form.elements.declarer.value;
    if (isEmpty() && declarer) return other[sideOf(declarer)];
    return boxes.NS.input.value && !boxes.EW.input.value ? "NS" : "EW";
  }

  function start() {
    fresh = true;
    activate(counts());
    fillOther();
  }

  function activate(side) {
    fresh ||= side !== active;
    active = side;
    for (const [name, { box }] of Object.entries(boxes)) {
      box.classList.toggle("deal-counting", name === side);
    }
  }

  // Who counts one side does not count the other as well.
  function leaveOther(side) {
    if (side in other && boxes[side].input.value) boxes[other[side]].input.value = "";
  }

  function type(change) {
    const { input } = boxes[active];
    input.value = change(fresh ? "" : input.value).slice(0, 3);
    fresh = false;
    leaveOther(active);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function fill(side, points) {
    activate(side);
    type(() => String(points));
    fresh = true;
  }

  function goBack() {
    fresh = false;
    type((value) => value.slice(0, -1));
  }

  for (const [side, { input }] of Object.entries(boxes)) {
    if (matchMedia("(pointer: coarse)").matches) input.inputMode = "none";
    input.addEventListener("focus", () => activate(side));
    input.addEventListener("input", (event) => event.isTrusted && leaveOther(side));
  }
  form.addEventListener("input", (event) => {
    if (event.target.name === "declarer" && isEmpty()) activate(counts());
    fillOther();
  });
  pad.addEventListener("click", (event) => {
    const { digit, back } = event.target.closest("button")?.dataset ?? {};
    if (digit) type((value) => value + digit);
    else if (back !== undefined) goBack();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches(TYPED_IN)) return;
    if (/^\d$/.test(event.key)) type((value) => value + event.key);
    else if (event.key === "Backspace") goBack();
  });
  pad.hidden = false;
  form.addEventListener("filled", start);
  start();
  return { side: () => active, fill };
}

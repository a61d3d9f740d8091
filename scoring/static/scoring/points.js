// Points of the side that was counted, by number pad; the other side fills itself.

const CARD_POINTS = { NT: 130 };
const TRUMP_DEAL = 162;

export function countPoints(form) {
  const pad = form.querySelector("[data-pad]");
  if (!pad) return;
  const boxes = Object.fromEntries(
    [...form.querySelectorAll("[data-count]")].map((box) => [
      box.dataset.count,
      { box, input: box.querySelector("input") },
    ]),
  );
  const other = { NS: "EW", EW: "NS" };
  // Of three people who plays has the first column, wherever he sits.
  const players = "threeHanded" in form.dataset ? ["N", "E", "S"] : ["NS", "N", "S"];
  const sideOf = (seat) => (players.includes(seat) ? "NS" : "EW");
  let active = boxes.NS.input.value && !boxes.EW.input.value ? "NS" : "EW";
  let fresh = true; // the next digit starts a new number

  function total() {
    return CARD_POINTS[form.elements.trump.value] ?? TRUMP_DEAL;
  }

  function fillOther() {
    for (const [side, { input }] of Object.entries(boxes)) {
      const counted = boxes[other[side]].input.value;
      const rest = total() - Number(counted);
      input.placeholder = counted && rest >= 0 ? rest : "";
    }
  }

  function activate(side) {
    fresh ||= side !== active;
    active = side;
    for (const [name, { box }] of Object.entries(boxes)) {
      box.classList.toggle("deal-counting", name === side);
    }
  }

  function type(change) {
    const { input } = boxes[active];
    input.value = change(fresh ? "" : input.value).slice(0, 3);
    fresh = false;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function goBack() {
    fresh = false;
    type((value) => value.slice(0, -1));
  }

  for (const [side, { input }] of Object.entries(boxes)) {
    if (matchMedia("(pointer: coarse)").matches) input.inputMode = "none";
    input.addEventListener("focus", () => activate(side));
    // Who counts one side does not count the other as well.
    input.addEventListener("input", () => {
      if (input.value) boxes[other[side]].input.value = "";
    });
  }
  form.addEventListener("input", (event) => {
    const empty = Object.values(boxes).every(({ input }) => !input.value);
    // The side that did not play counts.
    if (event.target.name === "declarer" && empty) activate(other[sideOf(event.target.value)]);
    fillOther();
  });
  pad.addEventListener("click", (event) => {
    const { digit, wipe, back } = event.target.closest("button")?.dataset ?? {};
    if (digit) type((value) => value + digit);
    else if (wipe !== undefined) type(() => "");
    else if (back !== undefined) goBack();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input:not([type=radio], [type=checkbox]), textarea, select")) return;
    if (/^\d$/.test(event.key)) type((value) => value + event.key);
    else if (event.key === "Backspace") goBack();
  });
  pad.hidden = false;
  const declarer = form.elements.declarer.value;
  if (declarer && !boxes.NS.input.value && !boxes.EW.input.value) active = other[sideOf(declarer)];
  activate(active);
  fillOther();
}

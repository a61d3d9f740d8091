// The counting aid: adds up the aces, tens and so on that a side took, and fills in the points.

import { closed, opened } from "./back.js";

const NO_TRUMP = "NT";
const TOTAL = { trump: 162, [NO_TRUMP]: 130 };

export function helpCounting(form, counting) {
  const key = form.querySelector("[data-tally]");
  const dialog = document.getElementById("tally");
  if (!key || !dialog?.showModal) return;
  const questions = dialog.querySelector("form");
  const asksTrump = dialog.querySelector("[data-asks-trump]");
  const { trump: own, side: sides } = questions.elements;
  const part = (name) => dialog.querySelector(`[data-${name}]`);

  const withoutTrump = () => form.elements.trump.value === NO_TRUMP;
  const nameOf = (side) => [...sides].find(({ value }) => value === side).nextElementSibling;

  function counted() {
    return [...questions.querySelectorAll("[data-each]:checked")]
      .filter((input) => !input.closest("[hidden]"))
      .reduce((sum, { dataset, type, value }) => sum + dataset.each * (type === "radio" ? value : 1), 0);
  }

  function show() {
    const side = sides.value;
    const points = counted();
    const rest = TOTAL[withoutTrump() ? NO_TRUMP : "trump"] - points;
    part("counted").textContent = `${nameOf(side).textContent} ${points}`;
    part("rest").textContent = `${nameOf(side === "NS" ? "EW" : "NS").textContent} ${rest}`;
  }

  // A jack of trumps has a key of its own, and without trump there is none.
  function turn() {
    const isAsked = Boolean(asksTrump) && !form.elements.trump.value;
    if (asksTrump) asksTrump.hidden = !isAsked;
    for (const name of ["cards", "sum", "fill"]) part(name).hidden = isAsked;
    part("fill").disabled = isAsked;
    for (const label of dialog.querySelectorAll("[data-trump]")) label.hidden = withoutTrump();
    const fourth = part("no-trump");
    fourth.hidden = !withoutTrump();
    const { J } = questions.elements;
    if (fourth.hidden && J.value === "4") J.value = "3";
    show();
  }

  function sayTrump() {
    form.elements.trump.value = own.value;
    form.querySelector("[name=trump]:checked").dispatchEvent(new Event("input", { bubbles: true }));
    for (const radio of own) radio.checked = false;
    turn();
    questions.querySelector("[data-each]:checked").focus();
  }

  const close = () => dialog.close();
  dialog.addEventListener("close", () => closed(close));
  key.addEventListener("click", () => {
    sides.value = counting.side();
    turn();
    dialog.showModal();
    opened(close);
  });
  questions.addEventListener("input", (event) => (event.target.name === "trump" ? sayTrump() : show()));
  questions.addEventListener("submit", () => counting.fill(sides.value, counted()));
  part("close").addEventListener("click", close);
  form.addEventListener("filled", () => questions.reset());
  key.hidden = false;
}

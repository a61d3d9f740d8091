// Replaying a deal without page loads: a tap adds the card to the text that the server reads.
// Without scripts every tap loads a page.

const HALF_A_CARD = /(^|[\s,])[shrkdc♠♥♦♣]1?$/i;

function inTricks(words) {
  return words.map((word, at) => word + (at % 4 === 3 ? "\n" : " ")).join("");
}

// On a phone the cards come first: fold the text and the settings away.
function keepSmall(form) {
  const { trump, declarer, leader } = form.elements;
  form.querySelector(".replay-text").open = false;
  form.addEventListener("change", () => {
    if (!trump.value || !declarer.value || !leader.value) return;
    form.querySelector(".replay-settings").open = false;
  });
}

function enhance(form) {
  const text = form.elements.cards;
  const words = () => text.value.split(/[\s,]+/).filter(Boolean);
  const onPhone = matchMedia("(pointer: coarse)").matches;
  const replacing = form.querySelector("input[name=place]");
  const keys = [...form.querySelectorAll("[name=add]")];

  function put(changed) {
    text.value = inTricks(changed);
    text.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // The card is gone, so the hands go on to the next one.
  function leave(key) {
    key.disabled = true;
    const following = keys.slice(keys.indexOf(key)).find((other) => !other.disabled);
    (following ?? text).focus({ preventScroll: true });
  }

  // Replacing a card loads a page.
  form.addEventListener("click", (event) => {
    const key = event.target.closest("button");
    if (!key || replacing) return;
    if (key.name === "add") put([...words(), key.value]);
    else if (key.name === "undo") put(words().slice(0, -1));
    else return;
    event.preventDefault();
    if (key.name === "add") leave(key);
  });

  // A card that is half typed is not wrong yet.
  text.addEventListener("input", (event) => {
    if (HALF_A_CARD.test(text.value)) event.stopPropagation();
    document.querySelector("#ruling [type=submit]")?.setAttribute("disabled", "");
  });

  const unreached = form.querySelector("[data-unreached]");
  for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(failure, () => (unreached.hidden = false));
  }

  document.addEventListener("htmx:afterSettle", () => {
    const onTable = document.querySelector("[data-replay]")?.dataset.replay.split(" ") ?? [];
    const gone = new Set([...onTable, ...words()]);
    const hand = document.querySelector("[data-hand]")?.dataset.hand.split(" ");
    const others = (card) => hand && !hand.includes(card);
    unreached.hidden = true;
    if (!replacing) for (const key of keys) key.disabled = gone.has(key.value) || others(key.value);
  });

  for (const button of form.querySelectorAll("[data-without-script]")) button.hidden = true;
  if (onPhone) keepSmall(form);
  else if (!document.querySelector("[data-focus]")) text.focus({ preventScroll: true });
}

document.querySelectorAll("[data-laying]").forEach(enhance);

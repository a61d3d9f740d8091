// Keys instead of typing for the form that writes a deal. The form works without this.

import { closed, opened } from "./back.js";
import { keepDraft } from "./draft.js";
import { countPoints } from "./points.js";
import { collectRoem } from "./roem.js";
import { helpCounting } from "./tally.js";

export { clearDeal, fillDeal } from "./fill.js";

// A trembling thumb taps twice: the second of two taps on one place means nothing, whatever stands
// there by then. Digits are typed fast, and what is typed is in sight.
const TREMBLE = 500;
const NEAR = 24;

function steadyHand() {
  let last = { at: -TREMBLE, x: 0, y: 0, target: null };
  const isMouse = ({ pointerType }) =>
    pointerType ? pointerType === "mouse" : matchMedia("(pointer: fine)").matches;
  document.addEventListener(
    "click",
    (event) => {
      const { target, timeStamp: at, clientX: x, clientY: y } = event;
      // A label passes its tap on; a key of the keyboard is at no place.
      const isPassedOn = last.target?.closest("label")?.control === target;
      if (isMouse(event) || !event.detail || isPassedOn) return;
      const isAgain = at - last.at < TREMBLE && Math.hypot(x - last.x, y - last.y) < NEAR;
      const isTyped = target === last.target && target.closest("[data-digit], [data-back]");
      if (!isAgain || isTyped) {
        last = { at, x, y, target };
        return;
      }
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}

// Tapping a chosen radio again, or pressing the space bar again, clears it: no trump, no pit.
function letGo(form) {
  let was = null;
  const radioOf = (event) => event.target.closest("label")?.querySelector("input[type=radio]");
  const mayGo = (radio) => radio?.checked && ["trump", "pit"].includes(radio.name);
  const release = (radio) => {
    radio.checked = false;
    radio.dispatchEvent(new Event("input", { bubbles: true }));
  };
  form.addEventListener("pointerdown", (event) => {
    const radio = radioOf(event);
    was = mayGo(radio) ? radio : null;
  });
  form.addEventListener("click", (event) => event.target === was && release(was));
  form.addEventListener("keydown", (event) => {
    if (event.key !== " " || !mayGo(event.target)) return;
    event.preventDefault();
    release(event.target);
  });
}

function nameDevice(form) {
  const { device } = form.elements;
  try {
    localStorage.device ??= crypto.getRandomValues(new Uint32Array(4)).join("-");
    device.value = localStorage.device;
  } catch {
    // Without storage the deal is written all the same, by a device without a name.
  }
}

// A deal that is dealt again is nobody's: who plays is only asked of the others.
function askNobody(form) {
  const { replayed } = form.elements;
  replayed?.addEventListener("input", () => {
    const [first] = form.querySelectorAll("input[name=declarer]");
    if (!replayed.checked || form.elements.declarer.value) return;
    first.checked = true;
    first.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

function closeByBack(form) {
  const rare = form.querySelector("[popover]");
  const close = () => rare.hidePopover();
  rare?.addEventListener("beforetoggle", ({ newState }) => {
    if (newState === "open") opened(close);
    else closed(close);
  });
}

function enhance(form) {
  form.classList.add("deal-tapped");
  nameDevice(form);
  letGo(form);
  collectRoem(form);
  const counting = countPoints(form);
  if (counting) helpCounting(form, counting);
  askNobody(form);
  closeByBack(form);
  keepDraft(form);
}

steadyHand();
document.querySelectorAll("[data-deal-form]").forEach(enhance);

// Taps in place of typing for the form that writes a deal. The form works without this.

import { keepDraft } from "./draft.js";
import { countPoints } from "./points.js";
import { collectRoem } from "./roem.js";
import { helpCounting } from "./tally.js";

export { clearDeal, fillDeal } from "./fill.js";

// A radio that is tapped again is let go: no trump named, no pit.
function letGo(form) {
  let was = null;
  const radioOf = (event) => event.target.closest("label")?.querySelector("input[type=radio]");
  form.addEventListener("pointerdown", (event) => {
    const radio = radioOf(event);
    was = radio?.checked ? radio : null;
  });
  form.addEventListener("click", (event) => {
    if (event.target !== was || !["trump", "pit"].includes(was.name)) return;
    was.checked = false;
    was.dispatchEvent(new Event("input", { bubbles: true }));
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

function enhance(form) {
  form.classList.add("deal-tapped");
  nameDevice(form);
  letGo(form);
  collectRoem(form);
  const counting = countPoints(form);
  if (counting) helpCounting(form, counting);
  keepDraft(form);
}

document.querySelectorAll("[data-deal-form]").forEach(enhance);

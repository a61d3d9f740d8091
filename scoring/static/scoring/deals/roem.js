// Roem by keys: each tap adds one. The roem so far is shown before the keys; a tap on it removes
// the last one.

const valuesOf = (input) => input.value.split(/\D+/).filter(Boolean);

function setValues(input, values) {
  input.value = values.join(" ");
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

function collect(side) {
  const input = side.querySelector("input");
  const [made, keys] = ["made", "keys"].map((name) => side.querySelector(`[data-${name}]`));
  if (!keys) return;

  function show() {
    const values = valuesOf(input);
    made.disabled = !values.length;
    made.setAttribute("aria-hidden", made.disabled); // the keys beside it say the same
    made.querySelector("[data-off]").hidden = !values.length;
    made.querySelector("[data-shown]").textContent = values.map((points) => `+${points}`).join(" ");
  }

  input.hidden = true;
  keys.hidden = made.hidden = false;
  keys.id = input.id; // where the error summary leads
  input.removeAttribute("id");
  side.querySelector("label").hidden = true; // it is still the name of the keys
  made.addEventListener("click", () => {
    setValues(input, valuesOf(input).slice(0, -1));
    if (made.disabled) keys.focus({ preventScroll: true });
  });
  keys.addEventListener("click", (event) => {
    const key = event.target.closest("[data-add]");
    if (key) setValues(input, [...valuesOf(input), key.dataset.add]);
  });
  input.addEventListener("input", show);
  show();
}

export function collectRoem(form) {
  form.querySelectorAll("[data-roem]").forEach(collect);
}

// Roem by keys: each tap adds one, shown as a chip; a tap on the chip takes it off.

const valuesOf = (input) => input.value.split(/\D+/).filter(Boolean);

function setValues(input, values) {
  input.value = values.join(" ");
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

export function collectRoem(form) {
  const chips = form.querySelector("[data-chips]");
  const template = form.querySelector("[data-chip]");
  if (!chips) return;
  const sides = [...form.querySelectorAll("[data-roem]")].map((row) => ({
    name: row.dataset.side,
    input: row.querySelector("input"),
    keys: row.querySelector("[data-keys]"),
  }));
  const none = chips.firstElementChild;

  function chip(side, points, place) {
    const button = template.content.firstElementChild.cloneNode(true);
    button.firstElementChild.textContent = `${side.name} ${points}`;
    button.addEventListener("click", () => {
      setValues(side.input, valuesOf(side.input).filter((_, index) => index !== place));
      (chips.querySelector("button") ?? side.keys).focus();
    });
    return button;
  }

  function show() {
    const made = sides.flatMap((side) =>
      valuesOf(side.input).map((points, place) => chip(side, points, place)),
    );
    chips.replaceChildren(...(made.length ? made : [none]));
  }

  for (const side of sides) {
    const { input, keys } = side;
    input.hidden = true;
    keys.hidden = false;
    keys.id = input.id; // where the error summary leads
    input.removeAttribute("id");
    keys.addEventListener("click", (event) => {
      const key = event.target.closest("[data-add]");
      if (key) setValues(input, [...valuesOf(input), key.dataset.add]);
    });
    input.addEventListener("input", show);
  }
  chips.hidden = false;
  show();
}

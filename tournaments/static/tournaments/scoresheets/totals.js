// Totals typed without the mouse: Enter goes from figure to figure, and at last to the button.
// What is rare is passed over; Tab still leads there.

const form = document.querySelector("[data-totals]");
const RARE = /^(correction|reason)/;

function figures() {
  const boxes = [...form.querySelectorAll("input:not([type=hidden], [type=checkbox])")];
  return boxes.filter((box) => !RARE.test(box.name) && !box.closest("details:not([open])"));
}

form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("input")) return;
  event.preventDefault();
  const boxes = figures();
  const next = boxes[boxes.indexOf(event.target) + 1] ?? form.querySelector("[type=submit]");
  next.focus();
  next.select?.();
});
// Whoever was typing before this came goes on where he is.
if (!document.querySelector("[data-focus]") && !form.contains(document.activeElement)) {
  figures()[0].focus();
  figures()[0].select();
}

// Typing a pile of lots without the mouse: Enter goes from box to box; after a name that was looked
// for it goes to that person's box, and from there back to look for the next one.

const find = document.querySelector("#find-person");
const list = document.querySelector("#lots");

function boxesInSight() {
  return [...list.querySelectorAll("input")].filter((box) => !box.closest("[hidden]"));
}

function goTo(box) {
  box.focus();
  box.select?.();
}

function findNext() {
  find.value = "";
  find.dispatchEvent(new Event("input", { bubbles: true }));
  goTo(find);
}

function afterBox(box) {
  const boxes = boxesInSight();
  const next = boxes[boxes.indexOf(box) + 1];
  if (find.value) findNext();
  else goTo(next ?? list.closest("form").querySelector("[type=submit]"));
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing) return;
  const { target } = event;
  const inList = list?.contains(target) && target.matches("input");
  if (target !== find && !inList) return;
  event.preventDefault();
  if (inList) afterBox(target);
  else if (boxesInSight().length) goTo(boxesInSight()[0]);
});

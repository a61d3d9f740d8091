// What each key does in the grid. Letters that mean nothing in a box are not typed there.

import { RoemTyping } from "./roem.js";

export function listen(page, keys) {
  const roem = new RoemTyping(keys.roem);

  function mark(line, value) {
    const box = line.boxes.mark;
    box.value = box.value === value ? "" : value;
    line.changed();
  }

  // A pit of who plays; once more one of the others; once more none.
  function markPit(line, side) {
    const who = line.boxes.declarer.value;
    const plays = ["NS", "EW"].find((one) => who && one.includes(who)) ?? side;
    const [first, second] = [plays, plays === "NS" ? "EW" : "NS"].map((one) => `pit:${one}`);
    const box = line.boxes.mark;
    box.value = { [first]: second, [second]: "" }[box.value] ?? first;
    line.changed();
  }

  function inPoints(line, key, side) {
    if (key in keys.sides) line.boxes[`roem_${keys.sides[key]}`].focus();
    else if (key === keys.nat) mark(line, "nat");
    else if (key === keys.pit) markPit(line, side.toUpperCase());
    else if (key in keys.suits) {
      line.boxes.trump.value = keys.suits[key];
      line.changed();
    }
  }

  function inRoem(line, box, key) {
    if (key in keys.sides && !(key in keys.roem)) line.boxes[`roem_${keys.sides[key]}`].focus();
    else setRoem(line, box, roem.after(box.value, key));
  }

  function setRoem(line, box, text) {
    box.value = text;
    line.changed();
  }

  function typing(event) {
    const found = page.lineOf(event.target);
    if (!found || !event.target.matches("input")) return;
    const [line, kind, side] = found;
    const { selectionStart, selectionEnd, value } = event.target;
    const isReplaced = value && selectionStart === 0 && selectionEnd === value.length;
    if (kind === "roem" && event.inputType === "deleteContentBackward" && !isReplaced) {
      event.preventDefault();
      setRoem(line, event.target, roem.without(value));
      return;
    }
    if (event.inputType !== "insertText" || event.data?.length !== 1) return;
    const key = event.data.toLowerCase();
    if (kind === "roem") event.preventDefault();
    else if (!/\d/.test(key)) event.preventDefault();
    if (kind === "roem" && isReplaced && !(key in keys.sides)) {
      event.target.value = roem.raw = "";
    }
    if (kind === "roem") inRoem(line, event.target, key);
    else if (!/\d/.test(key)) inPoints(line, key, side);
  }

  // Who plays is one key: the first letter of a side, or the number of a person.
  function choosing(event, line) {
    const options = [...event.target.options];
    const side = keys.sides[event.key.toLowerCase()]?.toUpperCase();
    const chosen = options.find((option) => option.value === side) ?? options[Number(event.key)];
    if (!chosen?.value || event.key === " ") return;
    event.preventDefault();
    event.target.value = chosen.value;
    line.changed();
    page.toPoints(line);
  }

  // Every box leads to the same box of the deal above or below.
  function upOrDown(event, line) {
    const name = event.target.name?.split("-")[1];
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || !line.boxes[name]) return false;
    page.goTo(line, step, name);
    event.preventDefault();
    return true;
  }

  function beside(event, line) {
    const { target, key } = event;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const edge = key === "ArrowLeft" ? 0 : target.value.length;
    if (!step || target.selectionStart !== edge || target.selectionEnd !== edge) return;
    const boxes = Object.values(line.boxes);
    boxes[boxes.indexOf(target) + step]?.focus();
    event.preventDefault();
  }

  document.addEventListener("beforeinput", typing);
  document.addEventListener("input", () => (roem.raw = ""));
  document.addEventListener("keydown", (event) => {
    const found = page.lineOf(event.target);
    if (!found || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const [line, kind] = found;
    if (event.key === "Enter" && !event.target.matches("button, a")) {
      event.preventDefault();
      page.next(line);
    } else if (upOrDown(event, line)) return;
    else if (event.target.matches("input")) beside(event, line);
    else if (kind === "declarer") choosing(event, line);
  });
  document.addEventListener("focusin", ({ target }) => {
    roem.raw = "";
    const found = page.lineOf(target);
    if (found?.[1] === "points" || target.closest?.(".grid-control")) target.select?.();
    if (found?.[1] === "points") page.side = found[2];
  });
}

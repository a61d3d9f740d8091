// What was read from a picture, gone through by keyboard: Enter accepts a line and goes on, a digit
// takes another reading, A accepts all sure lines. Nothing is written before the form is sent.

const form = document.querySelector("[data-photo-form]");
const about = form && JSON.parse(document.querySelector("#photo-about").textContent);
const lines = form ? [...form.querySelectorAll("[data-line]")] : [];

document.body.classList.add("sheet-scripted");

const take = (line, value) => line.querySelector(`[data-take][value=${value}]`);
const isDecided = (line) => Boolean(line.querySelector("[data-take]:checked"));
const all = form?.querySelector("[data-all-sure]");

function decide(line, value) {
  take(line, value).checked = true;
  show();
}

// A line that was left open on the paper, and in which nothing was filled in here either.
function isEmpty(line) {
  const boxes = line.querySelectorAll(".sheet-boxes input:not([type=hidden])");
  return "open" in line.dataset && [...boxes].every((box) => box.value === "");
}

function choose(line, at) {
  const boxes = about[line.dataset.line]?.[at];
  if (!boxes) return;
  for (const [name, text] of Object.entries(boxes)) {
    line.querySelector(`[name=deal${line.dataset.line}-${name}]`).value = text;
  }
  for (const button of line.querySelectorAll("[data-choose]")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.choose) === at));
  }
}

function goOn(line) {
  const after = [...lines.slice(lines.indexOf(line) + 1), ...lines];
  const next = after.find((other) => !isDecided(other) && !other.hidden);
  const goal = next ?? form.querySelector("[data-write]");
  goal.scrollIntoView({ block: "center" });
  goal.focus({ preventScroll: true });
}

function acceptSure(isRight) {
  for (const line of lines) {
    if (line.dataset.kind !== "sure") continue;
    if (isRight && !isDecided(line)) take(line, "write").checked = true;
    else if (!isRight) take(line, "write").checked = false;
  }
  all.checked = isRight;
  show();
}

function show() {
  const waiting = lines.filter((line) => !isDecided(line)).length;
  const count = form.querySelector("[data-count]");
  count.textContent = waiting ? count.dataset.words.replace("{n}", waiting) : "";
  for (const line of lines) line.classList.toggle("sheet-decided", isDecided(line));
}

function key(event) {
  const line = event.target.closest("[data-line]");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const pressed = event.key.toLowerCase();
  const isTyping = event.target.matches("input:not([type=radio], [type=checkbox]), select");
  if (pressed === "enter" && line && !event.target.matches("button")) {
    event.preventDefault();
    decide(line, isEmpty(line) ? "leave" : "write");
    goOn(line);
  } else if (isTyping) {
    return;
  } else if (pressed === "a" && all) {
    event.preventDefault();
    acceptSure(true);
    goOn(lines.at(-1));
  } else if (pressed === "l" && line) {
    event.preventDefault();
    decide(line, "leave");
    goOn(line);
  } else if (/^[1-5]$/.test(pressed) && line) {
    event.preventDefault();
    choose(line, Number(pressed) - 1);
  }
}

if (form) {
  form.addEventListener("keydown", key);
  form.addEventListener("change", (event) => {
    if (event.target === all) acceptSure(all.checked);
    else show();
  });
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-choose]");
    if (button) choose(button.closest("[data-line]"), Number(button.dataset.choose));
  });
  for (const line of lines) line.tabIndex = -1;
  show();
  if (!form.querySelector("[role=alert]") && lines.length) lines[0].focus({ preventScroll: true });
}

// The draft of a draw: a name is taken up by pressing or dragging it, each other name then says
// what changing places does, and pressing or dropping there does it. Without this a press leads to
// a page that does the same.

const HOLD = 350; // ms that a finger rests before it drags: a shorter touch scrolls or presses
const NEAR = 8; // px that a pointer may shiver before it drags
const EDGE = 70; // px from the edge of the window where dragging scrolls

const draw = document.querySelector("#draw[data-swap-url]");
const form = document.querySelector("#swap-form");
const held = document.querySelector("#held");
const said = document.querySelector("#held-said");
const heldWords = document.querySelector("#held-words");
const heldMet = document.querySelector("#held-met");
const metAddress = heldMet?.href;

let taken = null; // the person who is taken up
let press = null; // a pointer that is down on a person, and may become a drag
let ghost = null;

const roundOf = (person) => person.form.elements.round.value;
const nameOf = (person) => person.querySelector(".cost")
  ? person.dataset.name
  : person.lastChild.textContent.trim();

function sameRound(person) {
  return [...person.form.elements].filter((one) => one !== person && one.name === "who");
}

async function costsOf(person) {
  const query = new URLSearchParams({ round: roundOf(person), who: person.value });
  const response = await fetch(`${draw.dataset.swapUrl}?${query}`, {
    headers: { Accept: "application/json" },
  });
  // The draft is another by now: the page says so when it is loaded anew.
  if (!response.ok) return location.reload();
  return (await response.json()).costs;
}

function showCosts(costs) {
  for (const person of sameRound(taken)) {
    const cost = costs[person.value];
    if (!cost) continue;
    const badge = document.createElement("span");
    badge.className = `cost cost-${cost.kind}`;
    const sign = document.createElement("span");
    sign.ariaHidden = "true";
    sign.textContent = cost.badge;
    const words = document.createElement("span");
    words.className = "visually-hidden";
    words.textContent = `(${cost.words})`;
    badge.append(sign, words);
    person.dataset.name = nameOf(person);
    person.dataset.words = cost.words;
    person.append(badge);
  }
}

async function takeUp(person) {
  taken = person;
  person.setAttribute("aria-pressed", "true");
  document.querySelector("#held-name").textContent = nameOf(person);
  heldMet.href = metAddress.replace("/0/", `/${person.value}/`);
  held.hidden = false;
  document.querySelector("#swapped")?.remove();
  said.textContent = `${nameOf(person)} ${said.dataset.taken}`;
  const costs = await costsOf(person);
  if (taken === person && costs) showCosts(costs);
}

function putBack() {
  if (!taken) return;
  for (const badge of draw.querySelectorAll(".cost")) badge.remove();
  taken.removeAttribute("aria-pressed");
  said.textContent = `${nameOf(taken)} ${said.dataset.back}`;
  tellCost(null);
  held.hidden = true;
  taken = null;
}

function swapWith(person) {
  form.elements.round.value = roundOf(taken);
  form.elements.one.value = taken.value;
  form.elements.other.value = person.value;
  form.requestSubmit();
}

function chosen(person) {
  if (!taken) takeUp(person);
  else if (person === taken) putBack();
  else if (person.form === taken.form) swapWith(person);
  else {
    putBack();
    takeUp(person);
  }
}

// What changing places with this person does, below the name of who is taken up.
const asked = heldWords?.textContent;
function tellCost(person) {
  heldWords.textContent = person?.dataset.words
    ? `↔ ${person.dataset.name}: ${person.dataset.words}`
    : asked;
}

function lookAt(event) {
  const person = event.target.closest(".person");
  // A pointer that lies still is not looking, though the page scrolls below it.
  const still = event.type === "pointermove" && !event.movementX && !event.movementY;
  if (taken && person && !still && !press?.dragging) tellCost(person);
}

function personAt(x, y) {
  const person = document.elementFromPoint(x, y)?.closest(".person");
  return person && taken && person !== taken && person.form === taken.form ? person : null;
}

function beginDrag() {
  clearTimeout(press.timer);
  press.dragging = true;
  if (taken !== press.person) {
    putBack();
    takeUp(press.person);
  }
  ghost = document.createElement("div");
  ghost.className = "ghost";
  ghost.ariaHidden = "true";
  ghost.textContent = nameOf(press.person);
  document.body.append(ghost);
  document.body.classList.add("dragging");
  drag(press);
  scrollAtEdge();
}

function drag({ x, y }) {
  ghost.style.translate = `${x + 12}px ${y + 12}px`;
  const over = personAt(x, y);
  for (const one of draw.querySelectorAll(".over")) if (one !== over) one.classList.remove("over");
  over?.classList.add("over");
  tellCost(over);
}

function scrollAtEdge() {
  if (!press?.dragging) return;
  const beyond = Math.max(0, press.y - (innerHeight - EDGE)) - Math.max(0, EDGE - press.y);
  if (beyond) scrollBy(0, beyond / 5);
  requestAnimationFrame(scrollAtEdge);
}

function endDrag(over) {
  ghost.remove();
  ghost = null;
  document.body.classList.remove("dragging");
  for (const one of draw.querySelectorAll(".over")) one.classList.remove("over");
  if (over) swapWith(over);
  else putBack();
}

function onDown(event) {
  const person = event.target.closest(".person");
  if (!person || event.button) return;
  press = { person, id: event.pointerId, x: event.clientX, y: event.clientY, dragging: false };
  press.from = { x: press.x, y: press.y };
  if (event.pointerType === "touch") press.timer = setTimeout(beginDrag, HOLD);
}

function onMove(event) {
  if (press?.id !== event.pointerId) return;
  press.x = event.clientX;
  press.y = event.clientY;
  if (press.dragging) drag(press);
  else if (Math.hypot(press.x - press.from.x, press.y - press.from.y) > NEAR) {
    if (event.pointerType === "touch") letGo();
    else beginDrag();
  }
}

function letGo() {
  clearTimeout(press?.timer);
  press = null;
}

function onUp(event) {
  if (press?.id !== event.pointerId) return;
  const { dragging, x, y } = press;
  letGo();
  if (!dragging) return;
  // The press that ends a drag is no press on a name.
  addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", stop, { capture: true }));
  endDrag(event.type === "pointerup" ? personAt(x, y) : null);
}

function stop(event) {
  event.preventDefault();
  event.stopPropagation();
}

function swapping() {
  draw.addEventListener("click", (event) => {
    const person = event.target.closest(".person");
    if (!person) return;
    event.preventDefault();
    chosen(person);
  });
  draw.addEventListener("focusin", lookAt);
  draw.addEventListener("pointermove", lookAt);
  draw.addEventListener("pointerdown", onDown);
  addEventListener("pointermove", onMove);
  addEventListener("pointerup", onUp);
  addEventListener("pointercancel", onUp);
  // While a finger drags, the page stays where it is.
  draw.addEventListener("touchmove", (event) => press?.dragging && event.preventDefault(), {
    passive: false,
  });
  draw.addEventListener("contextmenu", (event) => press?.dragging && event.preventDefault());
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !taken) return;
    if (press?.dragging) endDrag(null);
    letGo();
    taken?.focus();
    putBack();
  });
  document.querySelector("#held-back").addEventListener("click", () => {
    taken?.focus();
    putBack();
  });
}

// The person who has just changed places gets the focus, and it is announced.
function afterSwap() {
  const words = document.querySelector("[data-announce]");
  if (!words) return;
  document.getElementById(location.hash.slice(1))?.focus();
  if (said) setTimeout(() => { said.textContent = words.textContent; }, 100);
}

// A draw of a large hall takes seconds: the button says so, and is pressed once.
function busy(event) {
  const sent = event.target.closest("[data-busy]");
  if (!sent) return;
  if (sent.ariaBusy === "true") return event.preventDefault();
  sent.ariaBusy = "true";
  sent.querySelector("[type=submit]").disabled = true;
  sent.querySelector(".busy").hidden = false;
}

if (draw) {
  swapping();
  afterSwap();
}
document.addEventListener("submit", busy);
// Back from the next page by the browser's own button: what was sent can be sent again.
addEventListener("pageshow", (event) => event.persisted && location.reload());

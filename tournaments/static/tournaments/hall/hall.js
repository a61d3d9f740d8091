// The screen in the hall: its clock, its bell, staying awake, keys for who may steer it, and what whoever
// sets it up must know.
// What is shown comes from the server; without scripts the page reloads.

const shown = () => document.getElementById("shown");

// This computer's clock may be minutes off: the server says in every answer what time it is, in whole
// seconds and a moment late, so the furthest ahead is the nearest.
let ahead = -Infinity;

function hearTime(said) {
  if (said) ahead = Math.max(ahead, said - Date.now());
}

function now() {
  return Date.now() + (Number.isFinite(ahead) ? ahead : 0);
}

// The bell: three strokes of a few tones that die away.
const PARTS = [[660, 0.5], [1320, 0.3], [1980, 0.15]];
let sound;

function soundReady() {
  return sound?.state === "running";
}

async function soundOn() {
  sound ??= new AudioContext();
  await Promise.race([sound.resume(), new Promise((done) => setTimeout(done, 500))]);
  document.getElementById("hall-sound").hidden = soundReady();
}

function stroke(at) {
  for (const [pitch, loudness] of PARTS) {
    const tone = new OscillatorNode(sound, { frequency: pitch });
    const fade = new GainNode(sound, { gain: 0 });
    fade.gain.setValueAtTime(0, at);
    fade.gain.linearRampToValueAtTime(loudness, at + 0.01);
    fade.gain.exponentialRampToValueAtTime(0.001, at + 2);
    tone.connect(fade).connect(sound.destination);
    tone.start(at);
    tone.stop(at + 2);
  }
}

function ring() {
  shown().dispatchEvent(new CustomEvent("hall:bell", { bubbles: true }));
  if (soundReady()) for (const stroked of [0, 0.8, 1.6]) stroke(sound.currentTime + stroked);
}

// The clock.
let left;

function tick() {
  const clock = document.querySelector("[data-ends]");
  const wall = document.querySelector("[data-zone]");
  if (wall) {
    const style = { hour: "2-digit", minute: "2-digit", timeZone: wall.dataset.zone };
    const time = new Intl.DateTimeFormat("nl-NL", style).format(now());
    if (wall.textContent !== time) wall.textContent = time;
  }
  const before = left;
  left = clock ? Math.ceil(Number(clock.dataset.ends) - now() / 1000) : undefined;
  if (!clock) return;
  const seconds = Math.max(left, 0);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const words = left > 0 ? clock.dataset.words.replace("{}", time) : clock.dataset.over;
  if (clock.textContent !== words) clock.textContent = words;
  clock.classList.toggle("over", left <= 0);
  if (before > 0 && left <= 0) ring();
}

let rung = shown().dataset.rung;

function follow() {
  const { look, rung: rings } = shown().dataset;
  document.documentElement.dataset.theme = look;
  // What was there when the page opened does not move.
  document.body.classList.add("turned");
  if (rings !== rung) ring();
  rung = rings;
  tick();
}

// The screen stays on while the page is looked at; browsers allow it on https and on this computer.
async function stayAwake() {
  if (document.visibilityState !== "visible") return;
  let stays = false;
  try {
    stays = Boolean(await navigator.wakeLock?.request("screen"));
  } catch {
    // A computer that saves its battery refuses.
  }
  document.getElementById("hall-sleeps").hidden = stays;
}

// Notes and pointer are for whoever stands at the computer: gone once it is left alone.
const ALONE = 30_000;
let alone;

function attended() {
  clearTimeout(alone);
  document.body.classList.remove("alone");
  alone = setTimeout(() => document.body.classList.add("alone"), ALONE);
}

// A picture that is no longer of now says so; the next answer takes that away.
const SILENT = 10_000;
let heard = Date.now();

function hear({ detail }) {
  hearTime(detail.date);
  if (detail.status && detail.status < 500) heard = Date.now();
}

function tellSilence() {
  // A page that nobody looks at asks for nothing.
  if (document.hidden) heard = Date.now();
  document.getElementById("hall-lost").hidden = Date.now() - heard < SILENT;
}

const KEYS = {
  ArrowRight: "next", PageDown: "next", " ": "next", Enter: "next",
  ArrowLeft: "back", PageUp: "back",
};

function onKey(event) {
  soundOn();
  const url = document.getElementById("hall-keys").dataset.steer;
  const act = KEYS[event.key];
  if (!url || !act || event.repeat || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("button, a")) return;
  event.preventDefault();
  const values = { do: act, version: shown().dataset.version };
  window.htmx.ajax("POST", url, { source: "#hall-keys", swap: "none", values });
}

document.addEventListener("live:answer", hear);
document.addEventListener("live:changed", follow);
document.addEventListener("visibilitychange", stayAwake);
document.addEventListener("keydown", onKey);
document.addEventListener("click", soundOn);
for (const name of ["pointermove", "pointerdown", "keydown"]) document.addEventListener(name, attended);
setInterval(tick, 250);
setInterval(tellSilence, 1000);
tick();
stayAwake();
soundOn();
attended();

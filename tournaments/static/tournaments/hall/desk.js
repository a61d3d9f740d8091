// Steering the screen in the hall from the desk: the arrow keys, and the clock as it runs.

const KEYS = { ArrowRight: "hall-next", ArrowLeft: "hall-back" };

document.addEventListener("keydown", (event) => {
  const button = KEYS[event.key];
  if (!button || event.repeat || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("input, select, textarea")) return;
  event.preventDefault();
  document.getElementById(button).click();
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.successful && detail.elt.matches("[data-clears]") && !document.querySelector("#hall-announce [aria-invalid=true]")) {
    detail.elt.reset();
  }
});

let ahead = -Infinity;
document.addEventListener("live:answer", ({ detail }) => {
  if (detail.date) ahead = Math.max(ahead, detail.date - Date.now());
});

function tick() {
  const clock = document.querySelector("#hall-time [data-ends]");
  if (!clock) return;
  const now = Date.now() + (Number.isFinite(ahead) ? ahead : 0);
  const left = Math.ceil(Number(clock.dataset.ends) - now / 1000);
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  const words = left > 0 ? time : clock.dataset.over;
  if (clock.textContent !== words) clock.textContent = words;
}

for (const event of ["htmx:afterSettle", "live:changed"]) document.addEventListener(event, tick);
setInterval(tick, 250);

// A phone's Back key closes what is open on top of the page instead of leaving the page: whatever
// opens has an entry in the browser's history for as long as it is open.

const open = [];
let ownSteps = 0;

// `close` closes it again.
export function opened(close) {
  history.scrollRestoration = "manual";
  history.pushState({ opened: true }, "");
  open.push(close);
}

// It was closed in another way than by Back: its entry goes too.
export function closed(close) {
  const place = open.indexOf(close);
  if (place < 0) return;
  open.splice(place, 1);
  ownSteps += 1;
  history.back();
}

addEventListener("popstate", () => {
  if (ownSteps) ownSteps -= 1;
  else open.pop()?.();
});

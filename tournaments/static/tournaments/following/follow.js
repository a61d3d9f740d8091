// Messages of a club or a player on this device: one press to get them, one to end them.

const section = document.querySelector("[data-push]");
const { push, pushKey, pushWorker, pushScope, pushPlayer, pushFailed } = section.dataset;
const fault = section.querySelector("[data-push-fault]");
const CAN = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

function show(state) {
  for (const part of section.querySelectorAll("[data-push-state]")) {
    part.hidden = part.dataset.pushState !== state;
  }
}

function bytes(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

class Refused extends Error {}

// Tell the server; it answers whether this device follows now.
async function tell(subscription, follow) {
  const { endpoint, keys } = subscription.toJSON();
  const body = new URLSearchParams({ endpoint, ...keys, player: pushPlayer, follow });
  const response = await fetch(push, { method: "POST", body });
  const answer = await response.json();
  if (!response.ok) throw new Refused(answer.error);
  return answer.following;
}

async function subscribed() {
  const registration = await navigator.serviceWorker.getRegistration(pushScope);
  return registration?.pushManager.getSubscription();
}

function isOfThisServer({ options }) {
  const key = new Uint8Array(options.applicationServerKey ?? []);
  return key.join() === bytes(pushKey).join();
}

async function active(registration) {
  if (registration.active) return;
  const worker = registration.installing ?? registration.waiting;
  await new Promise((done) => worker.addEventListener("statechange", () => {
    if (worker.state === "activated") done();
  }));
}

async function subscribe() {
  const registration = await navigator.serviceWorker.register(pushWorker, { scope: pushScope });
  await active(registration);
  const known = await registration.pushManager.getSubscription();
  if (known && isOfThisServer(known)) return known;
  await known?.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: bytes(pushKey) };
  return registration.pushManager.subscribe(options);
}

async function follow() {
  const permission = await Notification.requestPermission();
  if (permission !== "granted") return show(permission === "denied" ? "denied" : "off");
  show(await tell(await subscribe(), "yes") ? "on" : "off");
}

async function stop() {
  const subscription = await subscribed();
  if (subscription) await tell(subscription, "no");
  show("off");
}

async function start() {
  if (!CAN) return show("cannot");
  if (Notification.permission === "denied") return show("denied");
  const subscription = await subscribed();
  show(subscription && (await tell(subscription, "")) ? "on" : "off");
}

section.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-push-follow]");
  if (!button) return;
  button.disabled = true;
  fault.hidden = true;
  try {
    await (button.dataset.pushFollow === "yes" ? follow() : stop());
  } catch (error) {
    fault.textContent = error instanceof Refused ? error.message : pushFailed;
    fault.hidden = false;
  } finally {
    button.disabled = false;
  }
});

start().catch(() => show("off"));

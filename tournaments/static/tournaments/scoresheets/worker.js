// Opens a table's page again where there is no network: what was shown once can be shown again.
// Where somebody follows a club it shows the messages; it stands between nothing there.
//
// Nothing that is written passes through here, and neither does a question for news: the page's own
// outbox sends what waits. Each page tells which files it needs; they stand in one cache, the pages
// in another.

const PAGES = "klaverclub-table-pages";
const FILES = "klaverclub-table-files";
const PATIENCE = 3000;
const NETWORK_IS_AWAY = 15_000;
const PAGES_KEPT_FOR = 2 * 24 * 60 * 60 * 1000;
// A name with its content's hash in it never stands for anything else.
const HASHED = /\.[0-9a-f]{12}(?=\.\w+$)/;
const ANY = { ignoreVary: true };
// Answers to a link, or a page, that is not for this phone or not there any more.
const REFUSED = [403, 404, 410];

const OF_TABLES = new URL(self.registration.scope).pathname === "/t/";

let awayUntil = 0;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), cleanCaches()]));
});

self.addEventListener("message", (event) => {
  if (event.data.keep) event.waitUntil(keep(event.data.keep));
});

self.addEventListener("fetch", (event) => {
  if (!OF_TABLES) return;
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (url.pathname.startsWith("/static/")) event.respondWith(file(request, url));
});

self.addEventListener("push", (event) => {
  const { title, body, url, tag, language } = event.data.json();
  const options = { body, tag, lang: language, data: url };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(new URL(event.notification.data, self.location.origin)));
});

// In a window where that page is open already, else in a new one; never on another site.
async function openPage({ origin, href }) {
  if (origin !== self.location.origin) return;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find(({ url }) => url === href);
  await (shown ? shown.focus() : self.clients.openWindow(href));
}

// The page as it is now; after a short wait, as it was.
async function page(request) {
  try {
    const response = await soon(fetch(request));
    awayUntil = 0;
    await keepPage(request.url, response.clone());
    return response;
  } catch (error) {
    awayUntil = Date.now() + NETWORK_IS_AWAY;
    await dropOlderPages();
    const known = (await lastSeen(request.url)) ?? (await lastSeen(homeOf(request.url)));
    if (known) return known;
    throw error;
  }
}

async function lastSeen(url) {
  const pages = await caches.open(PAGES);
  return pages.match(url, ANY);
}

// The table's first page, which opens whatever its round or deal.
const homeOf = (url) => url.replace(/(\/t\/[^/]+\/).*$/, "$1");

async function keepPage(url, response) {
  const pages = await caches.open(PAGES);
  const isPage = response.headers.get("Content-Type")?.startsWith("text/html");
  if (response.ok && isPage && !response.redirected) await pages.put(url, response);
  else if (REFUSED.includes(response.status)) await dropTable(url, response.status);
}

// A link that was withdrawn opens nothing later either, on any of its pages. A page that is not
// there can also be one that the table does not have, so then its first page says what of the rest.
async function dropTable(url, status) {
  const pages = await caches.open(PAGES);
  const home = homeOf(url);
  if (status === 404 && url !== home && (await isThere(home))) {
    await pages.delete(url, ANY);
    return;
  }
  const ofTable = (await pages.keys()).filter((page) => homeOf(page.url) === home);
  await Promise.all(ofTable.map((page) => pages.delete(page, ANY)));
}

async function isThere(url) {
  try {
    return !REFUSED.includes((await soon(fetch(url, { cache: "no-store" }))).status);
  } catch {
    return true;
  }
}

// A file that cannot have changed comes from the cache, any other one only without the network.
async function file(request, { pathname }) {
  const files = await caches.open(FILES);
  const known = await files.match(request, ANY);
  if (known && (HASHED.test(pathname) || Date.now() < awayUntil)) return known;
  try {
    const asked = fetch(request);
    const response = await (known ? soon(asked) : asked);
    if (response.ok) await files.put(request, response.clone());
    return response;
  } catch (error) {
    if (known) return known;
    throw error;
  }
}

async function soon(response) {
  let clock;
  const late = new Promise((_, reject) => {
    clock = setTimeout(() => reject(new Error("No answer in time")), PATIENCE);
  });
  try {
    return await Promise.race([response, late]);
  } finally {
    clearTimeout(clock);
  }
}

// What an open page is made of: kept from its first visit on, when it was loaded without this. The
// page comes last, so that all it needs is there when it is.
async function keep({ page: address, files: names }) {
  const files = await caches.open(FILES);
  await Promise.all(names.map((name) => keepFile(files, name)));
  const response = await fetch(address, { cache: "no-store" });
  await keepPage(address, response);
  await dropOlder(files, names);
  await dropOlderPages();
}

async function keepFile(files, name) {
  if (await files.match(name, ANY)) return;
  const response = await fetch(name);
  if (response.ok) await files.put(name, response);
}

// Of each file only the version that the page uses stays.
async function dropOlder(files, names) {
  const plain = (name) => new URL(name, self.location).pathname.replace(HASHED, "");
  const used = new Map(names.map((name) => [plain(name), new URL(name, self.location).href]));
  for (const { url } of await files.keys()) {
    const now = used.get(plain(url));
    if (now && now !== url) await files.delete(url, ANY);
  }
}

async function dropOlderPages() {
  const pages = await caches.open(PAGES);
  for (const { url } of await pages.keys()) {
    const seen = await pages.match(url, ANY);
    const at = Date.parse(seen?.headers.get("Date") ?? "");
    if (at < Date.now() - PAGES_KEPT_FOR) await pages.delete(url, ANY);
  }
}

async function cleanCaches() {
  const ours = (await caches.keys()).filter((name) => name.startsWith("klaverclub-"));
  const old = ours.filter((name) => name !== PAGES && name !== FILES);
  await Promise.all([dropOlderPages(), ...old.map((name) => caches.delete(name))]);
}

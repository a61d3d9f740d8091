// Lets the page open again without the network, where the browser can do that.

const REFRESH_AFTER = 2000;

const files = () => {
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const own = loaded.filter((name) => new URL(name).pathname.startsWith("/static/"));
  return [...new Set(own)];
};

let refreshing;

// Keep the page as the server has it now, so that it opens like that.
export function keepPage() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  clearTimeout(refreshing);
  refreshing = setTimeout(async () => {
    const { active } = await serviceWorker.ready;
    active.postMessage({ keep: { page: location.href.split("#")[0], files: files() } });
  }, REFRESH_AFTER);
}

// Whether this page can be opened again without the network.
export async function startWorker(address) {
  if (!navigator.serviceWorker) return false;
  try {
    await navigator.serviceWorker.register(address, { scope: "/t/" });
  } catch {
    return false;
  }
  keepPage();
  return true;
}

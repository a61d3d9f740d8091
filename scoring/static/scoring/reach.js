// A deal is sent only when the server answers. Otherwise the browser would show its own page about
// the network in place of the deal, and who wrote it would think that it is lost.

const PATIENCE = 5000;

async function answers(address) {
  try {
    await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    return true;
  } catch {
    return false;
  }
}

export function sendWhenReached(form) {
  const unreached = form.querySelector("[data-unreached]");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    unreached.hidden = true;
    const reached = await answers(form.dataset.server);
    unreached.hidden = reached;
    if (reached) form.submit();
  });
}

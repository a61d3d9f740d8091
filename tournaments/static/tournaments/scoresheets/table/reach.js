// Whether the club's computer answers at all.

const PATIENCE = 5000;

const address = document.querySelector("[data-outbox-status]")?.dataset.server;

export async function answers() {
  const giveUp = new AbortController();
  const clock = setTimeout(() => giveUp.abort(), PATIENCE);
  try {
    return (await fetch(address, { cache: "no-store", signal: giveUp.signal })).ok;
  } catch {
    return false;
  } finally {
    clearTimeout(clock);
  }
}

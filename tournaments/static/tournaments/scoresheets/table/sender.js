// Sends one item as the form itself would, and reads what the server says of it.

const PATIENCE = 12_000;

// The server's answer, or null when there was none: no network, a server that is restarting, or
// somebody else's page that stands between the hall's wifi and the club's computer.
//
// `state` is what becomes of the item: `sent`; `claimed` (the server keeps it beside what stands, and
// its page asks which is right); `kept` (for the director); or `stuck` (a person must look at it).
// The rest is what the server said.
export async function send(item) {
  const giveUp = new AbortController();
  const clock = setTimeout(() => giveUp.abort(), PATIENCE);
  try {
    const response = await fetch(item.url, {
      method: "POST",
      body: bodyOf(item),
      headers: { Accept: "application/json" },
      cache: "no-store",
      redirect: "error",
      signal: giveUp.signal,
    });
    return await read(response);
  } catch {
    return null;
  } finally {
    clearTimeout(clock);
  }
}

function bodyOf(item) {
  const body = new URLSearchParams(item.fields);
  for (const name of ["uuid", "seen_version", "made_at"]) body.set(name, item[name]);
  return body;
}

async function read(response) {
  const { status } = response;
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  if (!isJson || status >= 500 || status === 429) return null;
  const answer = await response.json();
  if (!answer.status) return null;
  return { ...answer, state: stateAfter(status, answer) };
}

function stateAfter(status, { claim }) {
  if (status === 200) return "sent";
  if (status === 409 && claim) return "claimed";
  return status === 202 ? "kept" : "stuck";
}

// Sends what is typed to the server, and says what came of it.

const TOKEN = "[name=csrfmiddlewaretoken]";

export function newUuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

// The answer of the server; or { lost: "offline" | "logged_out" } where none came.
export async function post(url, fields) {
  const answer = await ask(url, fields);
  if (answer?.status !== 403) return read(answer);
  return (await refreshToken()) ? read(await ask(url, fields)) : { lost: "logged_out" };
}

function ask(url, fields) {
  return fetch(url, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { Accept: "application/json", "X-CSRFToken": document.querySelector(TOKEN).value },
    redirect: "manual",
  }).catch(() => null);
}

async function read(response) {
  if (!response || response.status >= 500) return { lost: "offline" };
  if (response.type === "opaqueredirect") return { lost: "logged_out" };
  const data = await response.json().catch(() => null);
  if (data) return data;
  return response.ok ? { lost: "offline" } : { status: "error" };
}

// Who logged in again in another tab has another token: the page as it is now has it.
async function refreshToken() {
  const response = await fetch(location.href, { redirect: "manual" }).catch(() => null);
  if (!response?.ok) return false;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const token = page.querySelector(TOKEN)?.value;
  for (const input of document.querySelectorAll(TOKEN)) input.value = token ?? input.value;
  return Boolean(token);
}

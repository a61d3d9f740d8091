// Sends a large file in pieces, and shows how far it is. Without this the form sends it whole.

const PIECE = 4_000_000;

class Refused extends Error {}

async function sendPiece(form, file, start, copy) {
  const body = new FormData();
  body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
  body.set("file", file.slice(start, start + PIECE), "piece");
  body.set("name", file.name);
  body.set("start", start);
  body.set("total", file.size);
  body.set("copy", copy);
  const response = await fetch(form.action, { method: "POST", body });
  const answer = await response.json();
  if (!response.ok) throw new Refused(answer.message);
  return answer;
}

async function sendAll(form, file, progress) {
  let answer = { copy: "" };
  for (let start = 0; start < file.size || start === 0; start += PIECE) {
    answer = await sendPiece(form, file, start, answer.copy);
    progress.value = (100 * Math.min(start + PIECE, file.size)) / file.size;
  }
  return answer.page;
}

for (const form of document.querySelectorAll("form[data-send-pieces]")) {
  const status = form.querySelector("[role=status]");
  const progress = form.querySelector("progress");
  const button = form.querySelector("button[type=submit]");
  form.addEventListener("submit", async (event) => {
    const [file] = form.elements.file.files;
    if (!file) return;
    event.preventDefault();
    button.disabled = true;
    progress.hidden = false;
    status.textContent = "";
    try {
      location.assign(await sendAll(form, file, progress));
    } catch (error) {
      status.textContent = error instanceof Refused ? error.message : form.dataset.interrupted;
      progress.hidden = true;
      button.disabled = false;
    }
  });
}

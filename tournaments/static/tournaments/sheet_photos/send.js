// Sends pictures one by one, so that each is told by itself. Without this the form sends them
// together.

const form = document.querySelector("[data-send-pictures]");
const input = form.querySelector("input[type=file]");
const list = form.querySelector(".sheet-sending");
const button = form.querySelector("button[type=submit]");
const told = new Map();

function item(name) {
  const line = document.createElement("li");
  const words = document.createElement("span");
  line.append(`${name}: `, words);
  list.append(line);
  return words;
}

function isPdf(file) {
  return file.type === "application/pdf" || /\.pdf$/i.test(file.name);
}

async function send(file) {
  const words = item(file.name);
  if (file.size > Number(form.dataset.largest)) {
    words.textContent = isPdf(file) ? form.dataset.largePdf : form.dataset.largePicture;
    return;
  }
  const body = new FormData();
  body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
  body.set("pictures", file, "picture");
  try {
    const headers = { Accept: "application/json" };
    const response = await fetch(form.action, { method: "POST", body, headers });
    const answer = await response.json();
    words.textContent = answer.message || form.dataset.sent;
    for (const photo of answer.photos) told.set(photo, { words, before: answer.message });
  } catch {
    words.textContent = form.dataset.lost;
  }
  document.body.dispatchEvent(new Event("photos-sent"));
}

async function sendAll(files) {
  button.disabled = true;
  list.replaceChildren();
  told.clear();
  for (const file of files) await send(file);
  form.reset();
  button.disabled = false;
}

// The names of files stay in this browser: what is told of a picture is put beside them.
function tell() {
  for (const [photo, { words, before }] of told) {
    const row = document.querySelector(`[data-photo="${photo}"]`);
    if (!row) continue;
    const rows = document.querySelectorAll(`[data-file="${row.dataset.file}"]`);
    words.textContent = `${before} ${rows.length > 1 ? several(rows) : one(row)}`.trim();
  }
}

function one(row) {
  const title = row.querySelector("strong").textContent;
  return `${title}. ${row.querySelector("[data-said]").textContent.trim()}`;
}

function several(rows) {
  return form.dataset.sheets.replace("{n}", rows.length);
}

form.addEventListener("submit", (event) => {
  if (!input.files.length) return;
  event.preventDefault();
  sendAll([...input.files]);
});
form.querySelector(".sheet-drop-hint").hidden = false;
for (const name of ["dragover", "dragleave", "drop"]) {
  form.addEventListener(name, (event) => {
    event.preventDefault();
    form.classList.toggle("sheet-over", name === "dragover");
  });
}
form.addEventListener("drop", (event) => {
  if (event.dataTransfer.files.length) sendAll([...event.dataTransfer.files]);
});
document.body.addEventListener("htmx:afterSettle", tell);

// "This is me": which player holds this phone. It is kept on the phone only, for each club; the
// pages are the same for everybody, and what is personal comes in after they are loaded.

const RECENT = 10 * 60_000;
const AGAIN = 20_000;

const keyOf = (club) => `klaverclub.me.${club}`;

// What is kept: { id, name, html, at }, or null.
function known(club) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(club)));
  } catch {
    return null;
  }
}

function keep(club, person) {
  try {
    if (person) localStorage.setItem(keyOf(club), JSON.stringify(person));
    else localStorage.removeItem(keyOf(club));
  } catch {
    // A phone that keeps nothing: the page works as without it.
  }
}

function choose(club, id, name) {
  keep(club, { id: String(id), name });
  showEverywhere();
}

function forget(club) {
  keep(club, null);
  showEverywhere();
}

function showEverywhere() {
  document.querySelectorAll("[data-me-choice]").forEach(showChoice);
  document.querySelectorAll("[data-me-card]").forEach(showCard);
  document.querySelectorAll("[data-me-answer]").forEach(showAnswer);
}

// On somebody's own page: two buttons, of which one is there.

function showChoice(place) {
  const { club, person } = place.dataset;
  const isMe = known(club)?.id === person;
  place.querySelector("[data-me-is]").hidden = isMe;
  place.querySelector("[data-me-not]").hidden = !isMe;
  place.hidden = false;
}

function onChoice(place, isMe) {
  const { club, person, name } = place.dataset;
  const status = place.querySelector("[role=status]");
  if (isMe) choose(club, person, name);
  else forget(club);
  status.textContent = isMe ? status.dataset.saidIs : status.dataset.saidNot;
  place.querySelector(isMe ? "[data-me-not]" : "[data-me-is]").focus();
}

// On the club's page: a card, and without a connection the last one with its time.

async function showCard(place) {
  const { club } = place.dataset;
  const person = known(club);
  if (!person) {
    clear(place);
    return;
  }
  if (person.html && Date.now() - person.at < RECENT && !place.hasChildNodes()) fill(place, person);
  let answer;
  try {
    answer = await fetch(place.dataset.url.replace("/0/", `/${person.id}/`));
  } catch {
    if (person.html) fill(place, person, place.dataset.offline);
    return;
  }
  const html = answer.ok ? await answer.text() : "";
  // Who took the name off this phone meanwhile does not get it back.
  if (known(club)?.id !== person.id) return;
  if (answer.status === 410) {
    keep(club, null);
    say(place, place.dataset.gone.replace("{name}", person.name));
  } else if (answer.status === 404) {
    // On no public page, such as after a draw that was undone.
    place.replaceChildren();
    place.hidden = true;
  } else if (answer.ok) {
    const changed = html !== person.html || !place.querySelector("#me") || place.dataset.offlineNow;
    const now = { ...person, html, at: Date.now() };
    if (changed) fill(place, now);
    const card = place.querySelector("#me");
    keep(club, { ...now, id: card.dataset.person, name: card.dataset.name });
  } else if (person.html) fill(place, person, place.dataset.offline);
}

function fill(place, person, offline) {
  const focused = place.contains(document.activeElement) ? document.activeElement.id : "";
  place.innerHTML = person.html;
  delete place.dataset.offlineNow;
  if (offline) {
    const time = new Date(person.at).toLocaleTimeString("nl", { hour: "2-digit", minute: "2-digit" });
    const note = document.createElement("p");
    note.className = "hint";
    note.textContent = offline.replace("{time}", time.replace(":", "."));
    place.querySelector("#me").append(note);
    place.dataset.offlineNow = "1";
  }
  place.hidden = false;
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function say(place, words) {
  const note = document.createElement("p");
  note.className = "notice notice-info";
  note.setAttribute("role", "status");
  note.textContent = words;
  const wasHere = place.contains(document.activeElement);
  place.replaceChildren(note);
  place.hidden = false;
  if (!wasHere) return;
  note.tabIndex = -1;
  note.focus();
}

function clear(place) {
  // What was just said about somebody who is gone stays.
  if (place.querySelector("[role=status]")) return;
  place.replaceChildren();
  place.hidden = true;
}

// On an evening's page: what the list says, under the field where a name is typed.

const MOST = 3;

function rowsOf(input) {
  const list = document.querySelector("#found");
  if (!list) return [];
  return [...list.querySelectorAll("[data-filter-row], [data-filter-rows] > tbody > tr")];
}

function personOf(row) {
  const link = row.querySelector("th a")?.getAttribute("href") ?? "";
  return /players\/(\d+)\/$/.exec(link)?.[1] ?? "";
}

function wordsOf(row, place) {
  if (row.dataset.answer) return row.dataset.answer;
  const points = row.querySelector(".total")?.textContent.trim() ?? "";
  const rank = Number.parseInt(row.cells[0].textContent, 10);
  return rank ? place.dataset.place.replace("{n}", rank).replace("{points}", points) : points;
}

function answerLine(row, place, me) {
  const line = document.createElement("p");
  const name = document.createElement("strong");
  const person = personOf(row);
  name.textContent = row.querySelector("th").childNodes[0].textContent.trim();
  line.append(name, " ", wordsOf(row, place));
  if (person) {
    const button = document.createElement("button");
    const isMe = person === me?.id;
    button.type = "button";
    button.className = isMe ? "button button-quiet" : "button";
    button.textContent = isMe ? place.dataset.not : place.dataset.is;
    button.setAttribute("aria-label", `${button.textContent}: ${name.textContent}`);
    button.addEventListener("click", () => {
      if (isMe) forget(place.dataset.club);
      else choose(place.dataset.club, person, name.textContent);
      place.querySelector("button")?.focus();
    });
    line.append(" ", button);
  }
  return line;
}

function showAnswer(place) {
  const input = document.querySelector("#name");
  const me = known(place.dataset.club);
  const rows = rowsOf(input);
  for (const row of rows) row.classList.toggle("mine", Boolean(me) && personOf(row) === me.id);
  const typed = input.value.trim();
  const isListed = input.dataset.filter || input.value === input.defaultValue;
  const found = typed
    ? rows.filter((row) => !row.hidden)
    : rows.filter((row) => me && personOf(row) === me.id);
  const lines = [];
  if (typed && isListed && document.querySelector("#found, #nobody")) {
    if (!found.length) lines.push(plainLine(place.dataset.nobody));
    else if (found.length > MOST) {
      lines.push(plainLine(place.dataset.more.replace("{n}", found.length)));
    }
  }
  if (found.length <= MOST && (isListed || !typed)) {
    lines.push(...found.map((row) => answerLine(row, place, me)));
  }
  const said = lines.map((line) => line.textContent).join("\n");
  if (said === place.dataset.said) return;
  place.dataset.said = said;
  place.replaceChildren(...lines);
  place.hidden = !lines.length;
}

function plainLine(words) {
  const line = document.createElement("p");
  line.textContent = words;
  return line;
}

document.addEventListener("click", (event) => {
  const choice = event.target.closest("[data-me-choice] button");
  if (choice) onChoice(choice.closest("[data-me-choice]"), "meIs" in choice.dataset);
  const away = event.target.closest("[data-me-card] [data-me-not]");
  if (away) {
    const place = away.closest("[data-me-card]");
    say(place, place.dataset.forgotten);
    forget(place.dataset.club);
  }
});
document.addEventListener("input", (event) => {
  if (event.target.id === "name") document.querySelectorAll("[data-me-answer]").forEach(showAnswer);
});
// The page of an evening was brought up to date.
document.addEventListener("live:changed", showEverywhere);
document.addEventListener("visibilitychange", refresh);
window.addEventListener("online", refresh);
window.addEventListener("storage", showEverywhere);
setInterval(refresh, AGAIN);

function refresh() {
  if (document.hidden) return;
  for (const place of document.querySelectorAll("[data-me-card]")) {
    const card = place.querySelector("#me");
    if (card && ("live" in card.dataset || place.dataset.offlineNow)) showCard(place);
  }
}

showEverywhere();

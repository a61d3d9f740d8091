// Small comforts on top of pages that work without them.

const THEME_YEAR = 60 * 60 * 24 * 365;

function chooseTheme(theme) {
  const age = theme ? THEME_YEAR : 0;
  document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax`;
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

function offerThemes(group) {
  const buttons = [...group.querySelectorAll("[data-theme-value]")];
  const show = () => {
    const current = document.documentElement.dataset.theme ?? "";
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.themeValue === current));
    }
  };
  group.addEventListener("click", (event) => {
    const button = event.target.closest("[data-theme-value]");
    if (!button) return;
    chooseTheme(button.dataset.themeValue);
    show();
  });
  show();
  group.hidden = false;
}

const UNDECOMPOSED = { ł: "l", đ: "d", ø: "o", ı: "i", ß: "ss" };

// "Łuczak" is found by "lucz" and "Özdemir" by "ozd".
function plain(text) {
  const bare = text.toLowerCase().normalize("NFD").replace(/\p{Mn}/gu, "");
  return bare.replace(/[łđøıß]/g, (letter) => UNDECOMPOSED[letter]);
}

// <input data-filter="#list"> hides the rows of #list that do not hold what is typed, in
// data-filter-row="…" or else anywhere; a long table says data-filter-rows once.
function filterRows(input) {
  const wanted = plain(input.value.trim());
  const list = document.querySelector(input.dataset.filter);
  for (const row of list.querySelectorAll("[data-filter-row], [data-filter-rows] > tbody > tr")) {
    row.hidden = !plain(row.dataset.filterRow || row.textContent).includes(wanted);
  }
}

async function copyText(button) {
  const source = document.querySelector(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent.trim());
    button.textContent = button.dataset.copied;
  } catch {
    // Without https there is only the old way; where that fails too, what to copy is selected.
    source.focus();
    source.select?.();
    if (!document.execCommand("copy")) return;
    button.textContent = button.dataset.copied;
    button.focus();
  }
}

// After a live fragment is swapped, numbers that differ from before are marked.
const before = new Map();

function liveCells() {
  return document.querySelectorAll("[data-live], [data-filter-rows] > tbody > tr > .total");
}

function nameOf(cell) {
  return cell.dataset.live ?? cell.parentElement.id;
}

function rememberNumbers() {
  before.clear();
  for (const cell of liveCells()) before.set(nameOf(cell), cell.textContent);
}

function markChanges() {
  for (const cell of liveCells()) {
    const old = before.get(nameOf(cell));
    cell.classList.toggle("changed", old !== undefined && old !== cell.textContent);
  }
}

// What is typed as a password can be read, as long as its button is pressed.
function showTyped(button) {
  const input = document.querySelector(button.dataset.show);
  input.type = input.type === "password" ? "text" : "password";
  button.setAttribute("aria-pressed", String(input.type === "text"));
}

for (const button of document.querySelectorAll("[data-show]")) button.hidden = false;
document.querySelectorAll("[data-theme-choice]").forEach(offerThemes);
document.querySelector("[data-focus]")?.focus();
document.addEventListener("input", (event) => {
  if (event.target.matches("[data-filter]")) filterRows(event.target);
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-print], [data-copy], [data-show]");
  if (!button) return;
  if ("print" in button.dataset) window.print();
  else if ("show" in button.dataset) showTyped(button);
  else copyText(button);
});
for (const event of ["htmx:beforeSwap", "live:before"]) document.addEventListener(event, rememberNumbers);
for (const event of ["htmx:afterSettle", "live:changed"]) document.addEventListener(event, markChanges);

// Sharing: what the phone offers itself, else a link that is copied.
for (const group of document.querySelectorAll("[data-share-url]")) {
  const own = group.querySelector("[data-share]");
  own.hidden = !navigator.share;
  for (const other of group.querySelectorAll("a[href*='//wa.me/']")) other.hidden = !own.hidden;
  group.querySelector("[data-copy]").hidden = !own.hidden;
  own.addEventListener("click", () => {
    const { shareTitle: title, shareText: text, shareUrl: url } = group.dataset;
    // Who closes the choice again shares nothing.
    navigator.share({ title, text, url }).catch(() => {});
  });
}

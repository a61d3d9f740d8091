// The page's own texts, in the reader's language, and numbers as that language has them.

const { lang } = document.documentElement;
const figures = new Intl.NumberFormat(lang);
const clock = new Intl.DateTimeFormat(lang, { hour: "2-digit", minute: "2-digit" });

export const texts = JSON.parse(document.getElementById("table-texts")?.textContent ?? "{}");

export const number = (value) => figures.format(value).replace("-", "−");
export const time = (date) => clock.format(new Date(date));

// The text with each {name} filled in.
export function say(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

// A copy of the element in a <template>, with each of `values` where data-slot names it.
export function copyOf(id, values = {}) {
  const made = document.getElementById(id).content.cloneNode(true);
  for (const [name, value] of Object.entries(values)) {
    made.querySelector(`[data-slot="${name}"]`).textContent = value;
  }
  return made.firstElementChild;
}

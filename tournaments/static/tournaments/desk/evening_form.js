// The form of an evening follows what is answered, on top of a form that works without it.

// What a folded part says of itself: as `FormPart.answers` in tournaments/desk/forms.py.
function answerOf(field) {
  const label = field.closest(".choice") ?? document.querySelector(`label[for="${field.id}"]`);
  const hint = label?.querySelector(".hint")?.textContent ?? "";
  const words = label?.textContent.replace(hint, "").replace(/\s+/g, " ").trim() ?? "";
  if (["checkbox", "radio"].includes(field.type)) return field.checked ? words : "";
  return field.value ? `${words}: ${field.value}` : "";
}

function sayAnswers(part) {
  const fields = [...part.querySelectorAll("input, select")];
  part.querySelector("[data-answers]").textContent = fields.map(answerOf).filter(Boolean).join(" · ");
}

// The season in whose days the date falls; of two the one that begins last, as `season_on` does.
function sayTheSeasonOf(date, seasons) {
  const covers = ({ starts, ends }) =>
    (starts || ends) && (!starts || starts <= date) && (!ends || date <= ends);
  const options = [...seasons.options].filter((option) => covers(option.dataset));
  options.sort((one, other) => (other.dataset.starts ?? "").localeCompare(one.dataset.starts ?? ""));
  const name = options[0]?.text ?? seasons.dataset.none;
  const byDate = seasons.querySelector('[value="by-date"]');
  byDate.text = seasons.dataset.byDate.replace("{}", name);
}

document.addEventListener("input", ({ target }) => {
  const part = target.closest(".fold");
  if (part) sayAnswers(part);
  const seasons = target.form?.querySelector("[data-by-date]");
  if (target.type === "date" && seasons) sayTheSeasonOf(target.value, seasons);
});

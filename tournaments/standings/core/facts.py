"""What has to be known of each evening before a player's season can be counted."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from tournaments.standings.core.counting import Candidate
from tournaments.standings.core.results import EveningResult
from tournaments.standings.core.rule import Period, SeasonRule


class SeasonFacts:
    """The rule applied to the evenings: what a result is worth, and in which period it falls."""

    def __init__(self, results: Sequence[EveningResult], rule: SeasonRule) -> None:
        self.rule = rule
        self._spans: Sequence[Period | None] = sorted(rule.periods) or [None]
        days = {result.evening: result.date for result in results}
        self._span_of = {
            evening: span
            for span in self._spans
            for evening, day in days.items()
            if span is None or span[0] <= day <= span[1]
        }
        self._results = results

    @cached_property
    def _lowest(self) -> dict[str, int]:
        """The lowest score of each evening."""
        found: dict[str, int] = {}
        for one in self._results:
            if one.score is not None:
                found[one.evening] = min(one.score, found.get(one.evening, one.score))
        return found

    @cached_property
    def _boompjes(self) -> dict[str, int]:
        """The most boompjes that anybody played on each evening."""
        found: dict[str, int] = {}
        for one in self._results:
            if one.score is not None:
                found[one.evening] = max(one.boompjes, found.get(one.evening, 1))
        return found

    def candidates(self, results: Iterable[EveningResult]) -> dict[str, Candidate]:
        """What the results of one player bring to the season, by evening.

        An absence that is worth something weighs as many boompjes as were played that evening.
        """
        found: dict[str, Candidate] = {}
        for result in results:
            candidate = self._candidate(result)
            if candidate is not None:
                found[result.evening] = candidate
        return found

    def _candidate(self, result: EveningResult) -> Candidate | None:
        if result.score is not None:
            return Candidate(result.evening, result.score, result.boompjes)
        boompjes = self._boompjes.get(result.evening, 1)
        if result.absence == "none":
            value = self.rule.absence.without_notice
            return Candidate(result.evening, value, boompjes, droppable=False)
        noticed = self._with_notice(result.evening) if result.absence == "notice" else None
        return None if noticed is None else Candidate(result.evening, noticed, boompjes)

    def _with_notice(self, evening: str) -> int | None:
        worth = self.rule.absence.with_notice
        return self._lowest.get(evening) if worth == "lowest" else worth

    def by_period(
        self, candidates: Mapping[str, Candidate]
    ) -> dict[Period | None, list[Candidate]]:
        """A player's candidates by evening, period by period in order of time.

        Without periods the season is the one period, named `None`; what falls outside the
        periods there are is left out.
        """
        found: dict[Period | None, list[Candidate]] = {span: [] for span in self._spans}
        for evening, candidate in candidates.items():
            if evening in self._span_of:
                found[self._span_of[evening]].append(candidate)
        return found

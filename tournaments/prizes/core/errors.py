"""What is wrong with how somebody wants prizes to be given."""

from collections.abc import Sequence


class InvalidPrizes(ValueError):
    """The settings are no prize scheme. `faults` has one (field, code) for each thing wrong:
    `not_an_object`, `unknown`, `not_a_choice`, `not_a_number`, `not_a_list`, `no_places`."""

    def __init__(self, faults: Sequence[tuple[str, str]]) -> None:
        super().__init__(", ".join(f"{field}: {code}" for field, code in faults))
        self.faults = tuple(faults)

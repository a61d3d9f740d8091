"""A table's phone that loses the network, for the tests of the outbox."""

from playwright.sync_api import Page, expect

from scoring.models import DealEntry
from tests.browser.deal_screen import DealScreen
from tests.factories import table
from tournaments.models import Evening

IS_CACHED = """async () => {
  const { pathname } = location;
  await navigator.serviceWorker.ready;
  const isCached = async () => {
    const pages = await (await caches.open("klaverclub-table-pages")).keys();
    return pages.some(({ url }) => new URL(url).pathname === pathname);
  };
  while (!(await isCached())) await new Promise((go) => setTimeout(go, 50));
}"""


class OutboxScreen(DealScreen):
    """A table's page that can lose the network."""

    def __init__(self, page: Page, address: str, *, status: str = "verzonden") -> None:
        super().__init__(page)
        self.address = address
        page.goto(address)
        self.status(status)

    def off(self) -> None:
        self.page.context.set_offline(True)

    def on(self) -> None:
        self.page.context.set_offline(False)

    def is_cached(self) -> None:
        """Wait until the page can be opened without the network."""
        self.page.evaluate(IS_CACHED)

    def deal(self, number: int, points: int, *, declarer: str = "NS") -> None:
        """Write a deal of which side EW took so many points."""
        self.declarer(declarer)
        self.page.locator("#id_points_ew").fill(str(points))
        self.write(number)
        self.is_at(number + 1)

    def status(self, words: str) -> None:
        """Wait until this stands in sight, such as "3 spellen wachten"."""
        words_in_sight = self.page.locator("[data-outbox-words]")
        expect(words_in_sight).to_contain_text(words, timeout=20_000)

    def line(self, number: int) -> str:
        """What the sheet says of a deal."""
        return " ".join(self.page.locator(f"#deal-{number}").inner_text().split())


def written(evening: Evening) -> list[tuple[int, int, object]]:
    """The history of table 1, oldest first: deal, revision, and the points of zij."""
    entries = DealEntry.objects.filter(deal__sheet=table(evening).sheet).order_by("received_at")
    return [
        (entry.deal.number, entry.revision, (entry.written or {}).get("points", {}).get("EW"))
        for entry in entries.select_related("deal")
    ]

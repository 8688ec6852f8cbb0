"""The parts of a session that depend on the wire format."""

from __future__ import annotations

from clew.budget.measure import Meter
from clew.codecs import codec_for
from clew.ports import TokenCounter
from clew.render import ShownMessages
from clew.session.bodies import Bodies
from clew.session.ledger import Ledger
from clew.session.resumed import Resumed
from clew.transcript import Format


class Wired:
    """What depends on the wire format, made when the first messages are seen."""

    def __init__(self, format: Format, counter: TokenCounter, resumed: Resumed | None) -> None:
        self.codec = codec_for(format)
        self.meter = Meter(counter, format)
        self.shown = ShownMessages(self.codec)
        self.ledger = Ledger(self.codec, self.meter)
        offset, count = (resumed.offset, len(resumed.natives)) if resumed else (0, 0)
        self.bodies = Bodies(self.codec, self.meter, self.shown, offset=offset, opening_count=count)

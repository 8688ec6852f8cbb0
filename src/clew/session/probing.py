"""The probes of a policy, asked of what goes out after every compaction and eviction."""

from __future__ import annotations

from collections.abc import Sequence

from clew.outcome import Held
from clew.pipeline import Prepared
from clew.policy import Probe, ProbeResult
from clew.policy.probes import holds, probe
from clew.ports import Store
from clew.searchable import search_text
from clew.session.ledger import Reading
from clew.transcript import Message


class Probing:
    """Asks the probes where something was taken out of the context."""

    def __init__(self, probes: Sequence[Probe], store: Store) -> None:
        self._probes = probes
        self._store = store

    def asked(self, prepared: Prepared, reading: Reading) -> tuple[ProbeResult, ...]:
        """Where the answers stand now; nothing where nothing was taken out."""
        if not self._probes or isinstance(prepared.outcome, Held):
            return ()
        return probe(
            self._probes,
            before=[search_text(reading.messages)],
            after=[search_text(prepared.rendered.messages)],
            search=lambda words: self._handle(words, prepared, reading.messages),
        )

    def _handle(self, words: str, prepared: Prepared, came: Sequence[Message]) -> str:
        """The handle of a stub or a span, newest first, whose text holds these words."""
        history = prepared.history
        whole = {message.digest: message for message in came}
        for stub in reversed(history.stubs):
            message = whole.get(stub.digest)
            if message is not None and holds(search_text([message]), words):
                return stub.handle
        if history.checkpoint is None:
            return ""
        for checkpoint in reversed(self._store.ancestry(history.checkpoint.checkpoint_id)):
            for span in reversed(checkpoint.spans):
                if holds(span.text, words):
                    return span.handle
        return ""

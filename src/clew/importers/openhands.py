"""OpenHands: evaluation output, event lists, and the event files of its SDK."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.importers.chat_builder import ChatBuilder
from clew.importers.session import ImportedSession
from clew.importers.shapes import mapping, plain_text, sequence, string
from clew.importers.source import Source

FAMILY = "openhands"
_SDK = (
    "SystemPromptEvent", "MessageEvent", "ActionEvent", "ObservationEvent", "AgentErrorEvent",
    "UserRejectObservation", "CondensationSummaryEvent",
)  # fmt: skip


def recognises(source: Source) -> bool:
    """Whether the source holds events of OpenHands, classic or of the SDK."""
    return any(_is_event(event) for _, events in _runs(source) for event in events[:20])


def read(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """Every run as chat messages with the calls the model made."""
    del live  # what was condensed is not recorded in these files
    return tuple(
        _Reader(source, part).read(instance, events)
        for part, (instance, events) in enumerate(_runs(source))
    )


def _is_event(value: Any) -> bool:
    event = mapping(value)
    if event.get("kind") in _SDK:
        return True
    acts = "action" in event or "observation" in event
    return "source" in event and acts and ("id" in event or "timestamp" in event)


def _runs(source: Source) -> list[tuple[str, list[Any]]]:
    document = source.document
    if isinstance(document, list):
        return [("", document)]
    if isinstance(document, dict):
        history = sequence(document.get("history"))
        return [(string(document.get("instance_id")), history)] if history else []
    values = [line.value for line in source.lines]
    if values and "history" in values[0] and "instance_id" in values[0]:
        return [(string(v.get("instance_id")), sequence(v.get("history"))) for v in values]
    return [("", values)] if values else []


class _Reader:
    """Turns the events of one run into messages."""

    def __init__(self, source: Source, part: int) -> None:
        self._chat = ChatBuilder(source, FAMILY, part=part)
        self._open: dict[str, str] = {}
        self._response = ""

    def read(self, instance: str, events: list[Any]) -> ImportedSession:
        """Read one run."""
        self._chat.session_id = instance
        for event in map(mapping, events):
            if "kind" in event:
                self._sdk(event)
            elif "action" in event:
                self._action(event)
            elif "observation" in event:
                self._observation(event)
            else:
                self._chat.ledger.leave_out("event of an unknown shape")
        return self._chat.session()

    # ---- events of the SDK ------------------------------------------------------------------

    def _sdk(self, event: Mapping[str, Any]) -> None:
        match string(event.get("kind")):
            case "SystemPromptEvent":
                self._chat.say("system", plain_text(event.get("system_prompt")))
                self._chat.tools = event.get("tools") or None
            case "MessageEvent":
                message = mapping(event.get("llm_message"))
                role = "assistant" if message.get("role") == "assistant" else "user"
                self._chat.say(role, plain_text(message.get("content")))
            case "ActionEvent":
                call = mapping(event.get("tool_call"))
                function = mapping(call.get("function")) or call
                self._call(
                    string(event.get("llm_response_id")),
                    plain_text(event.get("thought")),
                    string(event.get("tool_call_id")) or string(call.get("id")),
                    string(event.get("tool_name")) or string(function.get("name")),
                    function.get("arguments") or mapping(event.get("action")),
                )
            case "ObservationEvent" | "AgentErrorEvent" | "UserRejectObservation":
                observed = event.get("observation") or event.get("error")
                inner = mapping(observed)
                text = plain_text(inner.get("content")) if inner else string(observed)
                self._answer(string(event.get("tool_call_id")), text)
            case kind:
                self._chat.ledger.leave_out(f"{kind or 'untyped'} event")

    # ---- classic events ---------------------------------------------------------------------

    def _action(self, event: Mapping[str, Any]) -> None:
        action, origin = string(event.get("action")), string(event.get("source"))
        arguments = mapping(event.get("args"))
        if action == "system":
            self._chat.say("system", string(arguments.get("content")))
            self._chat.tools = arguments.get("tools") or None
        elif action == "message":
            role = "user" if origin == "user" else "assistant"
            text = string(arguments.get("content")) or string(event.get("message"))
            self._chat.say(role, text)
        elif origin != "agent" or action in ("recall", "change_agent_state"):
            self._chat.ledger.leave_out(f"{action or 'unknown'} action of the {origin or '?'}")
        else:
            self._agent_action(event, action, arguments)

    def _agent_action(
        self, event: Mapping[str, Any], action: str, arguments: Mapping[str, Any]
    ) -> None:
        made = mapping(event.get("tool_call_metadata"))
        response = mapping(made.get("model_response"))
        choice = mapping((sequence(response.get("choices")) or [None])[0])
        message = mapping(choice.get("message"))
        identity = string(made.get("tool_call_id"))
        calls = list(map(mapping, sequence(message.get("tool_calls"))))
        function = next((mapping(c.get("function")) for c in calls if c.get("id") == identity), {})
        self._chat.model = string(response.get("model")) or self._chat.model
        identity = identity or f"event_{event.get('id', len(self._chat.messages))}"
        self._call(
            string(response.get("id")),
            plain_text(message.get("content")) or string(arguments.get("thought")),
            identity,
            string(made.get("function_name")) or action,
            function.get("arguments") or dict(arguments),
        )
        self._open[str(event.get("id"))] = identity

    def _observation(self, event: Mapping[str, Any]) -> None:
        made = mapping(event.get("tool_call_metadata"))
        identity = string(made.get("tool_call_id")) or self._open.get(str(event.get("cause")), "")
        kind = string(event.get("observation"))
        if not identity:
            if kind == "error" and event.get("source") == "agent":
                self._chat.say("user", string(event.get("content")), harness=True)
            else:
                self._chat.ledger.leave_out(f"{kind or 'unknown'} observation without a call")
            return
        text = string(event.get("content"))
        code = mapping(mapping(event.get("extras")).get("metadata")).get("exit_code")
        if kind == "run" and isinstance(code, int) and code >= 0 and "exit code" not in text[-200:]:
            text = f"{text}\n[Command finished with exit code {code}]"
        self._answer(identity, text)

    # ---- both -------------------------------------------------------------------------------

    def _call(self, response: str, text: str, identity: str, name: str, arguments: Any) -> None:
        """Calls of one response stand in one message."""
        last = self._chat.messages[-1] if self._chat.messages else {}
        if response and response == self._response and last.get("role") == "assistant":
            self._chat.add_call(identity, name, arguments)
        else:
            self._chat.call(text, [(identity, name, arguments)])
        self._response = response

    def _answer(self, identity: str, text: str) -> None:
        self._chat.answer(identity, text)

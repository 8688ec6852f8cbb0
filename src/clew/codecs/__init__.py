"""The wire formats: parse native messages, edit them, build new ones. No SDK is needed."""

from collections.abc import Mapping

from clew.codecs.anthropic import Anthropic
from clew.codecs.gemini import Gemini
from clew.codecs.openai_chat import OpenAIChat
from clew.codecs.openai_responses import OpenAIResponses
from clew.codecs.recognise import EVERY_FORMAT, choose, narrow, recognise
from clew.ports import Codec
from clew.transcript import Format

__all__ = [
    "EVERY_FORMAT",
    "Anthropic",
    "Gemini",
    "OpenAIChat",
    "OpenAIResponses",
    "choose",
    "codec_for",
    "narrow",
    "recognise",
]

_CODECS: Mapping[Format, Codec] = {
    Format.OPENAI_CHAT: OpenAIChat(),
    Format.OPENAI_RESPONSES: OpenAIResponses(),
    Format.ANTHROPIC: Anthropic(),
    Format.GEMINI: Gemini(),
}


def codec_for(format: Format | str) -> Codec:
    """The codec of a format; raises UnknownFormatError for a name that is none."""
    return _CODECS[Format(format)]

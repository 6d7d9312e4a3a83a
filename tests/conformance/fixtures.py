"""What the official conformance suite asks a server to have, made with the same words as any author's app."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from collections.abc import Mapping
from typing import Annotated, Any

from remember import (
    App,
    Arg,
    Ask,
    Audio,
    Context,
    Embedded,
    Image,
    PromptMessage,
    Text,
    Tool,
    ToolError,
    elicit,
    list_roots,
    prompt,
    resource,
    sample,
    tool,
)

PIXEL = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==")
SILENCE = b64decode("UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=")


def form(**properties: str) -> dict[str, Any]:
    """A form with these fields, all to be filled in."""
    fields = {name: {"type": kind} for name, kind in properties.items()}
    return {"type": "object", "properties": fields, "required": list(properties)}


@tool
async def test_simple_text() -> str:
    """Answer with text."""
    return "This is a simple text response for testing."


@tool
async def test_image_content() -> Image:
    """Answer with a picture."""
    return Image(PIXEL, "image/png")


@tool
async def test_audio_content() -> Audio:
    """Answer with a sound."""
    return Audio(SILENCE, "audio/wav")


@tool
async def test_embedded_resource() -> Embedded:
    """Answer with a resource."""
    return Embedded("test://embedded-resource", "This is an embedded resource content.")


@tool
async def test_multiple_content_types() -> list[Text | Image | Embedded]:
    """Answer with three kinds of content."""
    held = json.dumps({"test": "data", "value": 123})
    return [
        Text("Multiple content types test:"),
        Image(PIXEL, "image/png"),
        Embedded("test://mixed-content-resource", held, "application/json"),
    ]


@tool
async def test_error_handling() -> str:
    """Fail."""
    raise ToolError("This tool intentionally returns an error for testing")


@tool
async def test_tool_with_progress(context: Context) -> str:
    """Tell of progress three times."""
    for done in (0, 50, 100):
        await context.progress(done, 100)
        await asyncio.sleep(0)
    return "Done."


@tool
async def test_missing_capability() -> str:
    """Need the client's model, whatever it has declared."""
    raise Ask({"capital": sample([said("What is the capital of France?")], max_tokens=100)})


@tool
async def test_streaming_elicitation(context: Context) -> str:
    """Tell of progress, then ask."""
    await context.progress(1, 2)
    answer = given(context, "name") or ask(name=elicit("What is your name?", form(name="string")))
    return f"Hello, {answer['name']}."


@tool
async def test_logging_tool(context: Context) -> str:
    """Tell of progress; a log message would need a level that the client asked for."""
    await context.progress(1, 1, "working")
    return "Done."


@tool
async def test_input_required_result_elicitation(context: Context) -> str:
    """Ask for a name, and take it unasked too: it is worth no more than an argument."""
    answer = given(context, "user_name", unasked=True)
    answer = answer or ask(user_name=elicit("What is your name?", form(name="string")))
    return f"Hello, {answer['name']}."


@tool
async def test_input_required_result_sampling(context: Context) -> str:
    """Ask the client's model."""
    if "capital_question" not in context.answers:
        ask(capital_question=sample([said("What is the capital of France?")], max_tokens=100))
    return str(context.answers["capital_question"]["content"]["text"])


@tool
async def test_input_required_result_list_roots(context: Context) -> str:
    """Ask which folders the client works in."""
    if "client_roots" not in context.answers:
        ask(client_roots=list_roots())
    return ", ".join(root["uri"] for root in context.answers["client_roots"]["roots"])


@tool
async def test_input_required_result_request_state(context: Context) -> str:
    """Ask, and know on return what the question was about."""
    if "confirm" not in context.answers:
        raise Ask({"confirm": elicit("Please confirm", form(ok="boolean"))}, state="state-ok")
    return str(context.state)


@tool
async def test_input_required_result_multiple_inputs(context: Context) -> str:
    """Ask three questions at once."""
    questions = {
        "user_name": elicit("What is your name?", form(name="string")),
        "greeting": sample([said("Generate a greeting")], max_tokens=50),
        "client_roots": list_roots(),
    }
    if context.answers.keys() != questions.keys():
        raise Ask(questions)
    return "All three are here."


@tool
async def test_input_required_result_multi_round(context: Context) -> str:
    """Ask for a name, then for a colour."""
    if name := given(context, "step1"):
        raise Ask({"step2": elicit("Step 2: What is your favorite color?", form(color="string"))}, state=name["name"])
    if colour := given(context, "step2"):
        return f"{context.state} likes {colour['color']}."
    raise Ask({"step1": elicit("Step 1: What is your name?", form(name="string"))})


@tool
async def test_input_required_result_tampered_state(context: Context) -> str:
    """Ask for a confirmation."""
    given(context, "confirm") or ask(confirm=elicit("Please confirm", form(ok="boolean")))
    return "Confirmed."


@tool
async def test_input_required_result_capabilities(context: Context) -> str:
    """Ask for what the client can do, and for nothing else."""
    possible = {
        "elicitation": elicit("What is your name?", form(name="string")),
        "sampling": sample([said("Generate a greeting")], max_tokens=50),
        "roots": list_roots(),
    }
    if not context.answers:
        ask(**{name: question for name, question in possible.items() if context.declares(name)})
    return "Answered."


@tool
async def test_custom_header(
    region: Annotated[str, Arg("Where to look", header="Region")],
    limit: Annotated[int, Arg("How many", header="Limit")],
) -> str:
    """Take arguments that are repeated in headers."""
    return f"{region} {limit}"


async def _ok(context: Context, arguments: dict[str, Any]) -> str:
    return "ok"


json_schema_2020_12_tool = Tool(
    name="json_schema_2020_12_tool",
    description="Tool with JSON Schema 2020-12 features",
    input_schema={
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    },
    run=_ok,
)


@prompt
async def test_simple_prompt() -> str:
    """A simple prompt."""
    return "This is a simple prompt for testing."


async def words(value: str) -> list[str]:
    """What an argument may be."""
    return [word for word in ("paris", "park", "party", "test1", "test2") if word.startswith(value)]


@prompt(completions={"arg1": words})
async def test_prompt_with_arguments(
    arg1: Annotated[str, "First test argument"], arg2: Annotated[str, "Second test argument"]
) -> str:
    """A prompt with arguments."""
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


@prompt
async def test_prompt_with_embedded_resource(
    resourceUri: Annotated[str, "URI of the resource to embed"],  # noqa: N803  the suite's name
) -> list[PromptMessage]:
    """A prompt with a resource in it."""
    return [
        PromptMessage(Embedded(resourceUri, "Embedded resource content for testing.")),
        PromptMessage("Please process the embedded resource above."),
    ]


@prompt
async def test_prompt_with_image() -> list[Image | str]:
    """A prompt with a picture in it."""
    return [Image(PIXEL, "image/png"), "Please analyze the image above."]


@prompt
async def test_input_required_result_prompt(context: Context) -> str:
    """A prompt that asks first."""
    answer = given(context, "user_context")
    answer = answer or ask(user_context=elicit("What context should the prompt use?", form(context="string")))
    return f"Use this context: {answer['context']}"


@resource("test://static-text")
async def static_text() -> str:
    """Text that stays as it is."""
    return "This is the content of the static text resource."


@resource("test://static-binary", mime_type="image/png")
async def static_binary() -> bytes:
    """A picture that stays as it is."""
    return PIXEL


@resource("test://template/{id}/data", mime_type="application/json")
async def template_data(id: str) -> str:  # noqa: A002  the suite's name
    """Data for an id."""
    return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


def said(text: str) -> dict[str, Any]:
    """A message of the user's, as sampling takes it."""
    return {"role": "user", "content": {"type": "text", "text": text}}


def ask(**questions: Any) -> Any:
    """Ask the client, and so end this call."""
    raise Ask(questions)


def given(context: Context, name: str, *, unasked: bool = False) -> Mapping[str, Any] | None:
    """What was filled in for a question, where the person did."""
    answer = context.answers.get(name) or (context.unasked.get(name) if unasked else None)
    return answer.get("content") if answer and answer.get("action") == "accept" else None


APP = App(
    "fixtures",
    "Conformance fixtures",
    tools=[one for one in list(globals().values()) if isinstance(one, Tool)],
    prompts=[
        test_simple_prompt,
        test_prompt_with_arguments,
        test_prompt_with_embedded_resource,
        test_prompt_with_image,
        test_input_required_result_prompt,
    ],
    resources=[static_text, static_binary, template_data],
)

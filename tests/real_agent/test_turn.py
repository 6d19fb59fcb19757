"""One turn with the real program: what it says, does, costs and how it ends."""

from __future__ import annotations

from pilothouse.domain.ports import Context, ToolFinished, ToolStarted
from tests.real_agent.workshop import Workshop


async def test_text_comes_in_pieces_and_is_whole(workshop: Workshop) -> None:
    """BYD-1"""
    told = await workshop.play_alone("Greet. [[stream]]")
    assert (told.end.outcome, told.end.exit_code) == ("done", None)
    assert told.text == told.end.text == ("The quick brown fox jumps over the lazy dog. " * 4)
    assert len([event for event in told.events if type(event).__name__ == "TextOut"]) > 10
    assert told.session


async def test_tools_edit_real_files_and_are_named_in_one_line(workshop: Workshop) -> None:
    """BYD-1"""
    told = await workshop.play_alone("Write. [[write]]")
    assert (workshop.workspace / "hello.txt").read_text() == "hello\n"
    started, finished = told.of(ToolStarted), told.of(ToolFinished)
    assert [(tool.name, tool.detail) for tool in started] == [("Write", "hello.txt")]
    assert [(tool.tool_id, tool.ok) for tool in finished] == [(started[0].tool_id, True)]
    assert told.text == "I will write it.\n\nWrote the file."


async def test_usage_names_model_and_tokens_and_the_context_its_window(workshop: Workshop) -> None:
    """GRD-8, FTR-19"""
    told = await workshop.play_alone("Write. [[write]]")
    usage = told.used
    assert usage.input_tokens == 2000
    assert usage.output_tokens == 20
    assert usage.cost_usd > 0
    assert usage.model == workshop.api.requests[0]["model"]
    (context,) = told.of(Context)
    assert context.tokens == 1010
    assert context.window >= 200_000


async def test_every_byte_is_in_the_log_of_the_spawn(workshop: Workshop) -> None:
    """BYD-1"""
    request = workshop.request("Greet. [[hello]]", session="")
    run = await workshop.agent.start(request)
    assert run.alive()
    async for _ in run.events():
        pass
    assert b"Hello from the stand-in." in request.log_path.read_bytes()
    assert not run.alive()
    assert "sonnet" in (await workshop.agent.health()).models
    assert "default" not in (await workshop.agent.health()).models


async def test_words_that_look_like_a_command_of_the_program_are_words(workshop: Workshop) -> None:
    """BYD-1"""
    told = await workshop.play_alone("/compact is broken, see [[hello]]")
    assert told.text == "Hello from the stand-in."
    assert workshop.api.prompts == ["/compact is broken, see [[hello]]"]

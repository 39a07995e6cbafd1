"""Composing messages and commands with the keyboard alone."""

from collections.abc import Sequence

import pytest
from playwright.async_api import expect

from tests.sandbox.page.chat import Chat, Held, Step
from tests.sandbox.page.conftest import Open, steps_of, take

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def slash_lists_all_commands(chat: Chat) -> None:
    await chat.type("/")
    titles = [
        "classic",
        "garden plant",
        "garden water",
        "greet",
        "paint",
        "panel",
        "say",
        "secret",
        "silent",
        "slow",
        "survey",
        "thread",
        "weigh",
    ]
    await chat.suggests([f"/{title}" for title in titles])
    await expect(chat.suggestions.first).to_contain_text("An embed, a file and a row of buttons")


async def command_is_composed_by_keys(chat: Chat) -> None:
    await chat.type("/gre")
    await chat.suggests(["/greet"])
    await chat.press("Tab")
    await expect(chat.option("member")).to_be_focused()
    await expect(chat.page.locator(".command-hint")).to_contain_text(
        "member Whom to greet required · a member"
    )
    await chat.suggests(["Grace", "Emmy", "Bot", "Ada"])
    await chat.type("@e")
    await chat.suggests(["Emmy", "Grace"])
    await chat.press("Enter")
    await chat.press("Enter")
    await chat.says("Hello, @Emmy!")
    await expect(chat.last.locator(".context")).to_have_text("AAda used /greet")
    await expect(chat.composer).to_be_focused()


async def complete_command_is_sent_by_one_enter(chat: Chat) -> None:
    await chat.type("/secret")
    await chat.press("Enter")
    await chat.says("The password is")
    await chat.type("/greet Emmy")
    await chat.suggests(["Emmy"])
    await chat.press("Enter")
    await chat.says("Hello, @Emmy!")


async def text_typed_while_a_command_runs_is_kept(chat: Chat) -> None:
    held = Held()
    await chat.page.route("**/local/command", held.back, times=1)
    await chat.type("/secret")
    await chat.press("Enter")
    await chat.type("/greet Emmy")
    await chat.suggests(["Emmy"])
    held.go.set()
    await chat.says("The password is")
    await expect(chat.option("member")).to_have_value("Emmy")


async def arrows_choose_suggestions(chat: Chat) -> None:
    await chat.type("/garden")
    await chat.suggests(["/garden plant", "/garden water"])
    active = chat.page.locator(".option.active .label")
    await expect(active).to_have_text("/garden plant")
    await chat.press("ArrowUp")
    await expect(active).to_have_text("/garden water")
    named = await chat.composer.get_attribute("aria-activedescendant")
    assert named == await chat.page.locator(".option.active").get_attribute("id")
    await chat.press("ArrowDown", "Enter")
    await chat.suggests(["Aster", "Begonia", "Clover", "Daisy"])
    await chat.press("ArrowDown", "Tab", "Enter")
    await chat.says("Planted: Begonia.")


async def missing_option_gets_the_focus(chat: Chat) -> None:
    await chat.type("/paint blue")
    await chat.suggests(["blue"])
    await chat.press("Escape", "Enter")
    await expect(chat.alert).to_have_text("coats is still missing: How many coats.")
    await expect(chat.option("coats")).to_be_focused()
    await chat.type("some")
    await chat.press("Enter")
    await expect(chat.alert).to_have_text("coats: “some” is not a whole number.")
    await chat.press("Control+A")
    await chat.type("10")
    await chat.press("Enter")
    await expect(chat.alert).to_have_text("coats must be at most 9.")
    await chat.press("Backspace", "Backspace")
    await chat.type("3")
    await chat.press("Enter")
    await chat.says("Painted blue, 3 coats, plain.")


async def optional_option_is_added(chat: Chat) -> None:
    await chat.type("/paint coats:2")
    await expect(chat.option("coats")).to_be_focused()
    await chat.press("Shift+Tab")
    await chat.type("teal")
    await chat.press("Tab", "Tab")
    await expect(chat.page.get_by_role("button", name="Add finish: How it is to look")).to_be_focused()
    await chat.press("Enter")
    await chat.suggests(["Matt", "Gloss"])
    await chat.type("gl")
    await chat.press("Enter", "Enter")
    await chat.says("Painted teal, 2 coats, Gloss.")


async def pasted_line_is_parsed(chat: Chat) -> None:
    await chat.composer.fill("/paint colour: sky blue finish: matt coats: 1")
    await expect(chat.option("finish")).to_have_value("matt")
    await chat.suggests(["Matt"])
    await chat.press("Escape", "Enter")
    await chat.says("Painted sky blue, 1 coats, Matt.")


async def autocomplete_asks_the_bot(chat: Chat) -> None:
    await chat.type("/paint c")
    await chat.suggests(["coral", "crimson", "cyan"])
    await chat.type("r")
    await chat.suggests(["crimson"])
    await chat.press("Tab")
    await expect(chat.option("colour")).to_have_value("crimson")
    await expect(chat.option("coats")).to_be_focused()


async def late_suggestions_are_dropped(chat: Chat) -> None:
    await chat.type("/paint ")
    asked = chat.page.expect_response(
        lambda answer: (
            answer.url.endswith("/local/autocomplete") and '"b"' in (answer.request.post_data or "")
        )
    )
    async with asked as late:
        async with chat.page.expect_request(lambda call: '"b"' in (call.post_data or "")):
            await chat.type("b")
        await chat.type("l")
        await chat.suggests(["black", "blue"])
    assert len((await (await late.value).json())["choices"]) == 4
    await chat.suggests(["black", "blue"])


async def escape_and_backspace_leave_a_command(chat: Chat) -> None:
    await chat.type("/say ")
    await expect(chat.page.locator(".command-chip")).to_have_text("/say")
    await chat.press("Backspace")
    await expect(chat.composer).to_have_value("/say")
    await chat.type(" x")
    await chat.press("Escape")
    await expect(chat.composer).to_have_value("")
    await expect(chat.composer).to_be_focused()


async def unknown_command_is_not_sent(chat: Chat) -> None:
    before = await chat.messages.count()
    await chat.type("/nonsense")
    await chat.press("Enter")
    await expect(chat.alert).to_have_text("There is no command /nonsense. Type / to see them all.")
    assert await chat.messages.count() == before


async def mentions_are_completed(chat: Chat) -> None:
    await chat.type("Well, @gr")
    await chat.suggests(["Grace"])
    await chat.press("Tab")
    await expect(chat.composer).to_have_value("Well, @Grace ")
    await chat.type("look at #ga")
    await chat.press("Enter")
    await chat.press("Shift+Enter")
    await chat.type("now")
    await chat.press("Enter")
    await chat.says("Well, @Grace look at #games")
    await expect(chat.last.locator(".mention")).to_have_text(["@Grace", "#games"])


async def messages_are_sent_in_order(chat: Chat) -> None:
    held = Held()
    await chat.page.route("**/local/message", held.back, times=1)
    await chat.type("one")
    await chat.press("Enter")
    await chat.type("two")
    await chat.press("Enter")
    await chat.type("half")
    held.go.set()
    await chat.says("two")
    await expect(chat.messages.nth(-2)).to_contain_text("one")
    await expect(chat.composer).to_have_value("half")


async def unsent_message_is_restored(chat: Chat) -> None:
    await chat.page.route("**/local/message", lambda route: route.abort())
    await chat.type("one")
    await chat.press("Enter")
    await expect(chat.alert).to_have_text("The local server does not answer. Is it still running?")
    await expect(chat.composer).to_have_value("one")


async def unsent_command_is_restored(chat: Chat) -> None:
    await chat.page.route("**/local/command", lambda route: route.abort())
    await chat.type("/paint teal")
    await chat.press("Tab")
    await chat.type("2")
    await chat.press("Enter")
    await expect(chat.alert).to_have_text("The local server does not answer. Is it still running?")
    await expect(chat.option("coats")).to_have_value("2")
    await expect(chat.option("coats")).to_be_focused()


async def late_commands_are_found(chat: Chat) -> None:
    held = Held()
    await chat.page.route("**/local/commands?*", held.back)
    await chat.page.reload()
    await expect(chat.composer).to_be_focused()
    await chat.type("/gre")
    await expect(chat.page.locator(".suggestions-heading")).to_contain_text("nothing fits")
    held.go.set()
    await chat.suggests(["/greet"])


async def refusal_is_shown(chat: Chat) -> None:
    await chat.type("/say ")
    await chat.option("text").fill("x" * 2001)
    await chat.press("Enter")
    # The bot cannot post such a long text, so its interaction gets no answer.
    await expect(chat.last).to_contain_text("/say: The bot did not answer within 3 seconds.")


async def file_is_chosen_and_sent(chat: Chat) -> None:
    await chat.type("/weigh ")
    chosen = chat.page.locator(".command-bar").get_by_label("file", exact=True)
    await expect(chosen).to_be_focused()
    await expect(chat.page.locator(".command-hint")).to_contain_text("file Which one required · a file")
    await chat.press("Enter")
    await expect(chat.alert).to_have_text("file is still missing: Which one.")
    await chosen.set_input_files({"name": "a note.txt", "mimeType": "text/plain", "buffer": b"12345"})
    await chat.press("Enter")
    await chat.says("a_note.txt (a file) has 5 bytes.")
    await expect(chat.composer).to_be_focused()


@steps_of(
    slash_lists_all_commands,
    command_is_composed_by_keys,
    complete_command_is_sent_by_one_enter,
    text_typed_while_a_command_runs_is_kept,
    missing_option_gets_the_focus,
    autocomplete_asks_the_bot,
    messages_are_sent_in_order,
    refusal_is_shown,
    rest=(
        arrows_choose_suggestions,
        optional_option_is_added,
        pasted_line_is_parsed,
        late_suggestions_are_dropped,
        escape_and_backspace_leave_a_command,
        unknown_command_is_not_sent,
        mentions_are_completed,
        file_is_chosen_and_sent,
    ),
)
async def test_commands_and_messages_by_keys(open_chat: Open, steps: Sequence[Step]) -> None:
    """A member composes and sends by keys alone."""
    await take(open_chat, *steps)


@pytest.mark.soak
async def test_slow_and_failed_calls(open_chat: Open) -> None:
    """Calls of the page are late, and one fails."""
    await take(
        open_chat,
        late_commands_are_found,
        unsent_message_is_restored,
        unsent_command_is_restored,
    )

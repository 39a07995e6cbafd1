"""Discord's markup, and safety from hostile texts."""

import pytest
from playwright.async_api import Page, expect

from tests.sandbox.page.chat import Chat
from tests.sandbox.page.conftest import Open, take

pytestmark = pytest.mark.asyncio(loop_scope="session")

RENDER = """async sources => {
    const { markdown } = await import("/page/js/text/markdown.js");
    const refs = {
        userName: id => ({ 1: "Ada", 2: "<b>Grace</b>" })[id] ?? null,
        roleName: id => ({ 9: "Players" })[id] ?? null,
        channelName: id => ({ 7: "general" })[id] ?? null,
        isMe: id => id === "1", openChannel: () => {}, startCommand: () => {},
    };
    return sources.map(source => markdown(source, refs).innerHTML);
}"""

A = '<a href="{0}" target="_blank" rel="noopener noreferrer">{1}</a>'
INLINE = {
    "plain": "plain",
    "*a* and _b_": "<em>a</em> and <em>b</em>",
    "**a** __b__ ~~c~~": "<strong>a</strong> <u>b</u> <s>c</s>",
    "***a***": "<strong><em>a</em></strong>",
    "*a **b***": "<em>a <strong>b</strong></em>",
    "**a *b* c**": "<strong>a <em>b</em> c</strong>",
    "__*a*__": "<u><em>a</em></u>",
    "snake_case_name": "snake_case_name",
    "2 * 3 * 4": "2 * 3 * 4",
    "**open": "**open",
    "****": "****",
    r"\*a\*": "*a*",
    r"\\": "\\",
    r"c:\temp": r"c:\temp",
    "`*a*`": '<code class="inline">*a*</code>',
    "`` a`b ``": '<code class="inline"> a`b </code>',
    "**a `**` b**": '<strong>a <code class="inline">**</code> b</strong>',
    "[a *b*](https://x.org/y)": A.format("https://x.org/y", "a <em>b</em>"),
    "[a](https://x.org/y_(z))": A.format("https://x.org/y_(z)", "a"),
    "see https://x.org/a_b_c, ok": "see " + A.format("https://x.org/a_b_c", "https://x.org/a_b_c") + ", ok",
    "<https://x.org/>": A.format("https://x.org/", "https://x.org/"),
    "[a](javascript:alert(1))": "[a](javascript:alert(1))",
    "<@1>": '<span class="mention me" data-user="1">@Ada</span>',
    "<@!1>": '<span class="mention me" data-user="1">@Ada</span>',
    "<@2>": '<span class="mention" data-user="2">@&lt;b&gt;Grace&lt;/b&gt;</span>',
    "<@3>": '<span class="mention" data-user="3">@unknown</span>',
    "<#7>": '<button type="button" class="mention">#general</button>',
    "<#8>": '<span class="mention">#unknown</span>',
    "</play:9>": '<button type="button" class="mention">/play</button>',
    "@everyone": '<span class="mention me">@everyone</span>',
    "<:skull:123456>": '<img class="emoji" src="/emojis/123456.png" alt=":skull:" title=":skull:" draggable="false">',
    "<t:oops>": "&lt;t:oops&gt;",
    "<img src=x onerror=alert(1)>": "&lt;img src=x onerror=alert(1)&gt;",
    "**<script>alert(1)</script>**": "<strong>&lt;script&gt;alert(1)&lt;/script&gt;</strong>",
    '[a](https://x.org/"onclick="alert(1))': "[a]("
    + A.format("https://x.org/", "https://x.org/")
    + '"onclick="alert(1))',
    "a\nb": "a\nb",
}
CODE = '<pre tabindex="0" aria-label="Code"><code data-language="{0}">{1}</code></pre>'
BLOCKS = {
    "# a\nb": '<h3 class="heading-1">a</h3><p>b</p>',
    "## *a*": '<h4 class="heading-2"><em>a</em></h4>',
    "### a": '<h5 class="heading-3">a</h5>',
    "#a": "<p>#a</p>",
    "#### a": "<p>#### a</p>",
    "-# a": '<p class="subtext">a</p>',
    "> a\n> b\nc": "<blockquote><p>a\nb</p></blockquote><p>c</p>",
    ">>> a\nb": "<blockquote><p>a\nb</p></blockquote>",
    ">a": "<p>&gt;a</p>",
    "- a\n- b": "<ul><li>a</li><li>b</li></ul>",
    "* a\n  * b\n* c": "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>",
    "3. a\n4. b": '<ol start="3"><li>a</li><li>b</li></ol>',
    "- a\n1. b": '<ul><li>a</li></ul><ol start="1"><li>b</li></ol>',
    "-a": "<p>-a</p>",
    "```py\nx = *y*\n```": CODE.format("py", "x = *y*"),
    "a ```b``` c": "<p>a </p>" + CODE.format("", "b") + "<p> c</p>",
    "> > a": "<blockquote><p>&gt; a</p></blockquote>",
    "> ```\n> a\n> ```": "<blockquote>" + CODE.format("", "a") + "</blockquote>",
    "```<img src=x onerror=alert(1)>```": CODE.format("", "&lt;img src=x onerror=alert(1)&gt;"),
    "a\n\nb": "<p>a\n\nb</p>",
    "": "",
}
CASES = [(source, f"<p>{html}</p>") for source, html in INLINE.items()] + list(BLOCKS.items())


async def markup_becomes_elements(chat: Chat) -> None:
    got = await chat.page.evaluate(RENDER, [source for source, _ in CASES])
    assert dict(zip([source for source, _ in CASES], got, strict=True)) == dict(CASES)


TIMES = {
    "<t:1000000000:t>": "1:46 AM",
    "<t:1000000000:T>": "1:46:40 AM",
    "<t:1000000000:d>": "9/9/01",
    "<t:1000000000:D>": "September 9, 2001",
    "<t:1000000000:f>": "September 9, 2001 at 1:46 AM",
    "<t:1000000000>": "September 9, 2001 at 1:46 AM",
    "<t:1000000000:F>": "Sunday, September 9, 2001 at 1:46 AM",
    "<t:1000000000:R>": "25 years ago",
    "<t:9999999999999:R>": "Invalid date",
}


WORDS = 'html => new DOMParser().parseFromString(html, "text/html").body.textContent'


async def texts(page: Page, sources: list[str]) -> list[str]:
    script = f"async sources => (await ({RENDER})(sources)).map({WORDS})"
    # There is a narrow space between the time and "AM".
    return [text.replace("\u202f", " ") for text in await page.evaluate(script, sources)]


@pytest.mark.soak
async def test_times_are_written_and_updated(open_chat: Open) -> None:
    chat = await open_chat(timezone_id="UTC", locale="en-US")
    now = await chat.page.evaluate("Math.floor(Date.now() / 1000)")
    await chat.page.clock.set_fixed_time(now)
    await chat.command(f"/say <t:{now + 3600}:R>")
    time = chat.last.locator(".timestamp")
    await expect(time).to_have_text("in 1 hour")
    # Rounded: a second later it is still about an hour.
    one, later = await chat.page.evaluate(
        "import('/page/js/text/time.js').then(({relativeText}) => [relativeText(3599), relativeText(86_399)])"
    )
    assert (one, later) == ("in 1 hour", "tomorrow")
    await chat.page.clock.set_fixed_time(now + 31)
    await expect(time).to_have_text("in 59 minutes")
    await chat.page.clock.set_fixed_time(1_800_000_000)
    assert dict(zip(TIMES, await texts(chat.page, list(TIMES)), strict=True)) == TIMES


HOSTILE = [
    "<img src=x onerror=\"document.title='broken in'\">",
    "<script>document.title='broken in'</script>",
    "[x](javascript:document.title='broken')",
    "||<svg onload=\"document.title='broken in'\">||",
    "# <iframe srcdoc=\"<script>parent.document.title='broken in'</script>\">",
    "`<b>`**<b>**",
]


async def hostile_texts_stay_text(chat: Chat) -> None:
    for text in HOSTILE:
        await chat.command(f"/say {text}")
    await expect(chat.messages).to_have_count(1 + len(HOSTILE))
    await expect(chat.page.locator(".markdown :is(img, script, svg, iframe, b)")).to_have_count(0)
    await expect(chat.page.locator(".markdown a")).to_have_count(0)
    assert "broken" not in await chat.page.title()


async def long_runs_of_marks_are_parsed(chat: Chat) -> None:
    for text in (
        "*" * 4000,
        "**_" * 1300,
        "[" * 4000,
        "||" * 2000,
        "> " * 2000,
        "`" * 3999 + "a",
        "<@" * 2000,
    ):
        assert len(await chat.page.evaluate(RENDER, [text])) == 1


async def test_marks_become_elements(open_chat: Open) -> None:
    """Marks are read, and hostile texts stay texts."""
    await take(
        open_chat,
        hostile_texts_stay_text,
        markup_becomes_elements,
        long_runs_of_marks_are_parsed,
    )

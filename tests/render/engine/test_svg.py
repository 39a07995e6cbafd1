"""An SVG has the shapes, names and words of its scene, and looks like the PNG."""

import random
from collections.abc import Iterator
from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops

from render.engine.raster import paint
from render.engine.svg import font_faces, svg
from render.engine.theme import THEMES
from render.picture import scene
from rules.core.match import Match, Observation
from rules.games import GAMES
from tests.rules.walks import finish
from tests.sandbox.page.browser import browser

SPACE = "{http://www.w3.org/2000/svg}"
STAGES = (0, 9, 1000)
"""Plies: the start, the middle and the end of a game."""


def observations() -> Iterator[tuple[str, Observation]]:
    for game in GAMES:
        for plies in STAGES:
            match = finish(Match.start(game, game.sizes["standard"], 2), random.Random(1), plies)
            yield f"{game.key} after {plies} plies", match.observe(None)


def test_svg_has_the_names_and_words_of_its_scene() -> None:
    for about, seen in observations():
        shown = scene(seen)
        page = ElementTree.fromstring(svg(shown, "paper"))
        names = [it.get("data-name") for it in page.iter(f"{SPACE}g")]
        assert names == list(shown.named()), about
        words = sorted("".join(it.itertext()) for it in page.iter(f"{SPACE}text"))
        assert words == sorted(text.words for text in shown.texts()), about


def test_svg_is_in_the_colours_of_its_theme() -> None:
    seen = Match.start(GAMES[0], GAMES[0].sizes["quick"], 2).observe(None)
    for theme in THEMES.values():
        page = ElementTree.fromstring(svg(scene(seen), theme.name))
        used = {value for it in page.iter() for key, value in it.items() if key in ("fill", "stroke")} - {
            "none"
        }
        known = {"#" + bytes(colour).hex() for colour in theme.colours.values()}
        assert used & known
        assert next(page.iter(f"{SPACE}rect")).get("fill") in known


@pytest.mark.soak
async def test_svg_looks_like_the_png() -> None:
    async with browser() as chromium:
        page = await chromium.new_page()
        for about, seen in observations():
            shown = scene(seen)
            await page.set_viewport_size({"width": shown.width, "height": shown.height})
            for theme in THEMES:
                style = f"<style>{font_faces()} body {{ margin: 0 }} svg {{ display: block }}</style>"
                await page.set_content(style + svg(shown, theme))
                await page.evaluate("document.fonts.ready")
                with Image.open(BytesIO(await page.screenshot())) as shot:
                    differences = ImageChops.difference(
                        shot.convert("RGB"), paint(shown, theme).convert("RGB")
                    )
                shades = differences.convert("L").histogram()
                # Only the edges of letters differ, which stand at fractions of a pixel: at most 2 pixels of 100.
                assert sum(shades[64:]) < 0.025 * sum(shades), (about, theme)
                assert sum(shades[160:]) < 0.01 * sum(shades), (about, theme)

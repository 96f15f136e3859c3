from __future__ import annotations

from xml.etree import ElementTree

from portability.report._draw import FOREGROUND, embeddable, looks


def test_models_have_looks_of_their_own():
    models = ("cuda", "hip", "kokkos", "raja", "openmp", "openacc", "sycl")
    found = looks(models)
    assert len({look.colour for look in found.values()}) == 7
    assert len({look.marker for look in found.values()}) == 7


def test_a_look_does_not_depend_on_which_other_models_are_shown():
    assert looks(("kokkos",))["kokkos"] == looks(("cuda", "kokkos", "new"))["kokkos"]
    assert looks(("new",))["new"] == looks(("cuda", "new"))["new"]


SVG = f"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 width="100pt" height="50pt" viewBox="0 0 100 50"><metadata>made today</metadata>
<defs><path id="m1" d="M0 0"/><clipPath id="c1"><path d="M0 0"/></clipPath></defs>
<g id="g1" clip-path="url(#c1)"><use xlink:href="#m1" style="fill: {FOREGROUND}"/></g></svg>"""


def test_ids_of_embedded_figures_do_not_collide_and_still_resolve():
    first, second = (ElementTree.fromstring(embeddable(SVG, n, "c")) for n in ("a", "b"))
    ids = [{e.get("id") for e in root.iter()} - {None} for root in (first, second)]
    assert ids[0].isdisjoint(ids[1])
    use = first.find(".//{*}use")
    assert use.get("{http://www.w3.org/1999/xlink}href") == "#a-m1"
    assert first.find(".//{*}g").get("clip-path") == "url(#a-c1)"
    assert {"a-m1", "a-c1"} <= ids[0]


def test_embedded_figures_take_the_colour_of_the_page_and_have_a_label():
    root = ElementTree.fromstring(embeddable(SVG, "a", 'what "it" <shows>'))
    assert root.find(".//{*}use").get("style") == "fill: currentColor"
    assert root.get("aria-label") == 'what "it" <shows>'
    assert root.get("role") == "img"
    assert "made today" not in embeddable(SVG, "a", "c")

"""The plot of growth: well-formed, with every point where its numbers say."""

import xml.etree.ElementTree as ElementTree

from benchmarks.growth_plot import FILE, svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
LINEAR = [(10.0, 0.01), (100.0, 0.1), (1000.0, 1.0)]


def places(text):
    circles = ElementTree.fromstring(text).iter(f"{NAMESPACE}circle")
    return [(float(circle.get("cx")), float(circle.get("cy"))) for circle in circles]


def test_points_of_linear_growth_lie_on_the_dashed_line():
    text = svg([("one", LINEAR), ("two", LINEAR)])
    found = places(text)
    lines = ElementTree.fromstring(text).findall(f"{NAMESPACE}polyline")
    dashed, drawn = (line.get("points") for line in lines[:2])
    assert len(found) == 6
    assert dashed == drawn == " ".join(f"{x},{y}" for x, y in found[:3])
    assert found[1][0] - found[0][0] == found[2][0] - found[1][0] > 0


def test_the_plot_in_the_documents_is_one_of_ours():
    assert len(places(FILE.read_text("utf-8"))) > 10

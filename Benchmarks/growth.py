"""Draws how time and memory grow, as an SVG with logarithmic axes, for light and dark pages."""

import math

WIDTH, HEIGHT, LEFT, TOP, GAP = 400, 250, 60, 70, 84

STYLE = """
  svg { font: 13px system-ui, sans-serif; background: #fff; }
  text { fill: #1f2328; } .tick { fill: #59636e; font-size: 11px; } .title { font-weight: 600; }
  path, circle { stroke-width: 2; } path { fill: none; } .grid { stroke: #d1d9e0; stroke-width: 1; }
  .s0 { stroke: #0550ae; fill: #0550ae; } .s1 { stroke: #953800; fill: #953800; } .s2 { stroke: #116329; fill: #116329; }
  path.s1 { stroke-dasharray: 7 4; } path.s2 { stroke-dasharray: 2 4; } path.s0, path.s1, path.s2 { fill: none; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; } text { fill: #f0f6fc; } .tick { fill: #9198a1; } .grid { stroke: #3d444d; }
    .s0 { stroke: #79c0ff; fill: #79c0ff; } .s1 { stroke: #ffa657; fill: #ffa657; } .s2 { stroke: #7ee787; fill: #7ee787; }
  }"""


def spelled(value):
    """A power of ten for an axis."""
    for limit, unit in ((1e6, " M"), (1e3, " k")):
        if value >= limit:
            return f"{value / limit:g}{unit}"
    return f"{value:g}"


def decades(values):
    """The powers of ten around positive values, at least two."""
    low = math.floor(math.log10(min(values)) + 1e-9)
    return list(range(low, max(math.ceil(math.log10(max(values)) - 1e-9), low + 1) + 1))


class Panel:
    """One diagram: lines of points by name, with the same names in the same order in all diagrams."""

    def __init__(self, title, across, lines):
        self.title, self.across, self.lines = title, across, lines
        points = [point for line in lines.values() for point in line]
        self.columns, self.rows = decades([x for x, _ in points]), decades([y for _, y in points])

    def place(self, point, left, top):
        def share(value, ticks):
            return (math.log10(value) - ticks[0]) / (ticks[-1] - ticks[0])
        return (left + WIDTH * share(point[0], self.columns), top + HEIGHT * (1 - share(point[1], self.rows)))

    def drawn(self, left, top):
        parts = [f'<text class="title" x="{left}" y="{top - 14}">{self.title}</text>',
                 f'<text class="tick" x="{left + WIDTH}" y="{top + HEIGHT + 36}" text-anchor="end">{self.across}</text>']
        for tick in self.columns:
            x, y = self.place((10**tick, 10**self.rows[0]), left, top)
            parts.append(f'<path class="grid" d="M{x:.1f} {top}V{y:.1f}"/>'
                         f'<text class="tick" x="{x:.1f}" y="{y + 17:.1f}" text-anchor="middle">{spelled(10**tick)}</text>')
        for tick in self.rows:
            x, y = self.place((10**self.columns[0], 10**tick), left, top)
            parts.append(f'<path class="grid" d="M{x:.1f} {y:.1f}H{left + WIDTH}"/>'
                         f'<text class="tick" x="{x - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{spelled(10**tick)}</text>')
        for number, line in enumerate(self.lines.values()):
            places = [self.place(point, left, top) for point in sorted(line)]
            if places:
                parts.append(f'<path class="s{number}" d="M' + "L".join(f"{x:.1f} {y:.1f}" for x, y in places) + '"/>')
            parts += [f'<circle class="s{number}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in places]
        return parts


def svg(panels):
    """The diagrams in two columns, with a key above them."""
    names = list(panels[0].lines)
    width = 2 * (WIDTH + LEFT) + GAP
    height = TOP + (len(panels) + 1) // 2 * (HEIGHT + GAP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
             f'aria-label="{"; ".join(panel.title for panel in panels)}">', f"<style>{STYLE}\n</style>"]
    x = LEFT
    for number, name in enumerate(names):
        parts.append(f'<path class="s{number}" d="M{x} 20H{x + 34}"/><circle class="s{number}" cx="{x + 17}" cy="20" r="3"/>'
                     f'<text x="{x + 42}" y="24">{name}</text>')
        x += 66 + 7 * len(name)
    for number, panel in enumerate(panels):
        column, row = number % 2, number // 2
        parts += panel.drawn(LEFT + column * (WIDTH + GAP + LEFT // 2), TOP + row * (HEIGHT + GAP))
    return "\n".join(parts + ["</svg>", ""])

import SafeText

/// A session as a picture of a terminal, in which each command appears after the one before.
///
/// It is SVG with CSS, light and dark. Without animation, as `prefers-reduced-motion` asks for, all of it is shown.
struct SessionPicture {
  let transcript: Transcript

  private static let (width, lineHeight, indent) = (1020, 19, 18)

  /// The seconds until the next command appears.
  private static let pause = 2.5

  /// The file's text.
  var text: String {
    let groups = transcript.steps.map { ["$ " + $0.command] + $0.output + [""] }
    let height = groups.reduce(0) { $0 + $1.count } * Self.lineHeight + 2 * Self.indent
    var top = Self.indent
    var lines: [String] = []
    for (number, group) in groups.enumerated() {
      let delay = Double(number) * Self.pause
      lines.append(#"  <g style="animation-delay: \#(delay)s">"#)
      for (place, line) in group.enumerated() {
        top += Self.lineHeight
        guard !line.isEmpty else { continue }
        let tone = place == 0 ? #" class="command""# : ""
        lines.append(
          #"    <text x="\#(Self.indent)" y="\#(top)"\#(tone) xml:space="preserve">\#(line.escaped)</text>"#
        )
      }
      lines.append("  </g>")
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(height)" role="img" \
      aria-label="A session of outbox-migrate">
        <style>
          svg { --paper: #ffffff; --ink: #24292f; --command: #0550ae; --frame: #d0d7de }
          @media (prefers-color-scheme: dark) {
            svg { --paper: #0d1117; --ink: #d0d7de; --command: #79c0ff; --frame: #30363d }
          }
          rect { fill: var(--paper); stroke: var(--frame) }
          text { fill: var(--ink); font: 13px ui-monospace, Menlo, Consolas, monospace }
          .command { fill: var(--command); font-weight: bold }
          g { animation: appear 0.3s both }
          @keyframes appear { from { opacity: 0 } to { opacity: 1 } }
          @media (prefers-reduced-motion: reduce) { g { animation: none } }
        </style>
        <rect x="0.5" y="0.5" width="\(Self.width - 1)" height="\(height - 1)" rx="8"/>
      \(lines.joined(separator: "\n"))
      </svg>

      """
  }
}

extension String {
  /// The text as the content of an element, without the placeholders of a transcript.
  fileprivate var escaped: String {
    replacing("<time>", with: "…").replacing(", in <ms>", with: "").printable
      .replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
  }
}

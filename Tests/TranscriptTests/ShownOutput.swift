import Foundation

/// What a document shows of commands and their output, with `…` for what it leaves out.
struct ShownOutput {
  /// The commands and the lines after each; lines before the first command have none.
  let steps: [(command: String?, lines: [String])]

  init(_ lines: [String]) {
    let normalise = Normalisation(directory: "/nowhere")
    var steps: [(command: String?, lines: [String])] = []
    for line in lines.map(normalise.callAsFunction) {
      if line.hasPrefix("$ ") {
        steps.append((String(line.dropFirst(2)), []))
      } else {
        if steps.isEmpty { steps.append((nil, [])) }
        steps[steps.count - 1].lines.append(line)
      }
    }
    self.steps = steps
  }

  /// Returns whether a transcript has these commands in this order, and prints these lines after each.
  func isPart(of transcript: Transcript) -> Bool {
    var rest = transcript.steps[...]
    for step in steps {
      guard
        let place = rest.firstIndex(where: {
          (step.command == nil || step.command == $0.command)
            && Self.shows(step.lines, in: $0.output)
        })
      else { return false }
      rest = rest[(place + 1)...]
    }
    return true
  }

  /// Returns whether a file has the shown lines, in this order.
  func isPart(of file: [String]) -> Bool {
    steps.allSatisfy { $0.command == nil && Self.shows($0.lines, in: file) }
  }

  /// Returns whether lines have the shown ones, in this order.
  private static func shows(_ shown: [String], in lines: [String]) -> Bool {
    var rest = lines[...]
    for line in shown where line != "…" && !line.isEmpty {
      let start = line.split(separator: " …", omittingEmptySubsequences: false)[0]
      let isWhole = start.count == line.count
      guard
        let place = rest.firstIndex(where: { isWhole ? $0 == line : $0.hasPrefix(start + " ") })
      else { return false }
      rest = rest[(place + 1)...]
    }
    return true
  }
}

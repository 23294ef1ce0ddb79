import Foundation
import Testing

/// A fenced block of code in a document.
struct DocumentBlock: CustomTestStringConvertible {
  /// The document's path in the repository.
  let file: String

  /// The number of the line with the opening fence.
  let line: Int

  /// The word after the opening fence, which may be empty.
  let language: String

  /// What the comment on the line before the fence says, such as `not run: needs a server`.
  let mark: String?

  /// The lines inside the fences, without their indentation.
  let lines: [String]

  var text: String { lines.map { $0 + "\n" }.joined() }

  var testDescription: String { "\(file):\(line)" }
}

/// A document of the repository, in Markdown.
struct Document {
  /// The document's path in the repository.
  let path: String

  private(set) var blocks: [DocumentBlock] = []

  /// The code in the text's lines between the blocks, each with the number of its line.
  private(set) var codes: [(line: Int, text: String)] = []

  init(path: String, text: String) {
    self.path = path
    var open: (line: Int, indent: Int, language: String, mark: String?, lines: [String])?
    var before = ""
    let all = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (number, line) in zip(1..., all) {
      let content = line.drop { $0 == " " }
      let isFence = content.hasPrefix("```")
      if isFence, let block = open {
        blocks.append(
          DocumentBlock(
            file: path, line: block.line, language: block.language, mark: block.mark,
            lines: block.lines))
        open = nil
      } else if isFence {
        open = (
          number, line.count - content.count, String(content.dropFirst(3)), Self.mark(before), []
        )
      } else if let block = open {
        open?.lines.append(String(line.dropFirst(block.indent)))
      } else {
        codes += line.matches(of: /`([^`]+)`/).map { (number, String($0.1)) }
      }
      before = line
    }
  }

  /// Returns the text of a comment that is a whole line.
  private static func mark(_ line: String) -> String? {
    line.wholeMatch(of: /\s*<!-- (.+) -->/).map { String($0.1) }
  }

  /// The repository's folder.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The documents whose blocks are run: those at the root, in `Documentation`, and of the libraries.
  ///
  /// A file that a tutorial shows is a document with one block.
  static func all() throws -> [Document] {
    let names = try ["Documentation", "Sources"].flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
        .sorted().map { "\(folder)/\($0)" }
    }
    let pages =
      ["README.md", "CONTRIBUTING.md", "SECURITY.md"] + names.filter { $0.hasSuffix(".md") }
    let files = names.filter { $0.contains(".docc/Resources/") && !$0.hasSuffix(".svg") }
    return try pages.map { Document(path: $0, text: try contents($0)) }
      + files.map { path in
        let language = path.split(separator: ".").last.map(String.init) ?? ""
        return Document(path: path, text: "```\(language)\n\(try contents(path))```")
      }
  }

  private static func contents(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}

/// A Swift file of the package, read once.
struct SourceFile {
  /// The path from the package's folder: `Sources/StoreFormat/Layout/StoreLayout.swift`.
  let path: String
  let lineCount: Int
  let tokens: [SwiftToken]
  let comments: [Comment]
  let outline: Outline

  init(path: String, bytes: [UInt8]) {
    self.path = path
    lineCount = bytes.count { $0 == UInt8(ascii: "\n") }
    let lexer = SwiftLexer(bytes)
    tokens = lexer.tokens
    comments = lexer.comments
    outline = Outline(lexer.tokens)
  }

  /// Makes a file for a test of a rule.
  init(_ path: String, _ text: String) { self.init(path: path, bytes: Array(text.utf8)) }

  /// The target that the file is part of.
  var target: String { String(path.split(separator: "/")[1]) }

  /// The folder in the target that the file is in; `.` if it is in none.
  var folder: String {
    let parts = path.split(separator: "/")
    return parts.count > 3 ? String(parts[2]) : "."
  }

  /// The file's name, without folders.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// Something that a source file declares.
struct Declaration {
  /// The word that declares it: `struct`, `func`, `let`, …; `parameter` for a parameter or a local name.
  let keyword: String
  let name: String
  let line: Int

  /// Where it stands.
  let scope: Scope

  /// The names behind the colon: what a type inherits or conforms to.
  var inherited: [String] = []

  enum Scope: Equatable {
    case file

    /// Directly in the braces of a type or an extension.
    case type(String, isExtension: Bool)

    /// In a function or another block.
    case block
  }

  static let typeKeywords: Set = ["struct", "class", "enum", "actor", "protocol", "typealias"]

  var isType: Bool { Self.typeKeywords.contains(keyword) }
}

/// A function, an initializer or an accessor with a body.
struct FunctionBody {
  let name: String
  let line: Int

  /// From the line with its keyword to that with its last brace.
  let lineCount: Int
}

/// A `switch`, told by its patterns.
struct SwitchStatement {
  let line: Int

  /// The names of the cases that its patterns begin with, as `io` in `case .io(let path)`.
  var cases: [String] = []
  var hasDefault = false

  /// What it decides about.
  let subject: [String]

  /// The type or extension that it stands in.
  let typeName: String?
}

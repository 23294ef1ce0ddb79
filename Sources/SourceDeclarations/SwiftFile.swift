/// The declarations of a Swift source file, which `outbox-source` prints as JSON.
package struct SwiftFile: Hashable, Sendable {
  /// The path, as it was given to `outbox-source`.
  package let path: String

  /// The declarations at file scope.
  package let declarations: [SwiftDeclaration]

  /// The calls of `ModelConfiguration`, and those that may list classes, wherever they stand.
  package let calls: [SwiftAttribute]

  /// The first syntax error, or `nil` if the file has none.
  package let syntaxError: SwiftSyntaxError?

  package init(
    path: String, declarations: [SwiftDeclaration], calls: [SwiftAttribute] = [],
    syntaxError: SwiftSyntaxError? = nil
  ) {
    self.path = path
    self.declarations = declarations
    self.calls = calls
    self.syntaxError = syntaxError
  }
}

/// A syntax error in a source file.
package struct SwiftSyntaxError: Hashable, Sendable {
  /// The position in the file.
  package let position: SwiftPosition

  /// The parser's message.
  package let message: String

  package init(position: SwiftPosition, message: String) {
    self.position = position
    self.message = message
  }
}

/// A position in a source file.
package struct SwiftPosition: Hashable, Sendable {
  /// The line, from 1.
  package let line: Int

  /// The column in UTF-8 bytes, from 1.
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// Something that a check found, at a position of a file where it is known.
package struct CheckFinding: Hashable, Sendable {
  /// How much a finding counts.
  package enum Level: String, Hashable, Sendable {
    /// The check fails.
    case error

    /// Something to know, which fails nothing.
    case note
  }

  /// The code of the rule, as `one-way`.
  package let rule: String

  package let level: Level

  /// The file's path; `nil` for a finding about no file.
  package let path: String?

  /// The line, from 1; `nil` if it is unknown.
  package let line: Int?

  /// The column in Unicode scalars, from 1; `nil` if it is unknown.
  package let column: Int?

  /// The entity, property or version; `nil` for a finding about the whole file.
  package let object: String?

  /// What was found: lowercase, without a final period.
  package let message: String

  package init(
    rule: String, level: Level, path: String?, line: Int? = nil, column: Int? = nil,
    object: String? = nil, message: String
  ) {
    self.rule = rule
    self.level = level
    self.path = path
    self.line = line
    self.column = column
    self.object = object
    self.message = message
  }
}

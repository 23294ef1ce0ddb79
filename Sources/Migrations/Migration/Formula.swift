package import JSONText
import SQLite

/// An SQL expression over the attributes of an entity, as a migration file states it.
///
/// Two formulas with one text are equal, wherever they are.
package struct Formula: Sendable {
  /// The text.
  package let text: String

  /// The place of the text in a file; `nil` if it isn't from a file.
  package let node: JSONNode?

  /// The number of characters before the text in the node.
  private let indent: Int

  package init(_ text: String, node: JSONNode? = nil, skipping indent: Int = 0) {
    self.text = text
    self.node = node
    self.indent = indent
  }

  init(_ node: JSONNode) throws(JSONError) { self.init(try node.string, node: node) }

  /// Creates the formula that gives the value of an attribute, or a to-one relationship.
  init(naming name: String, isLink: Bool) {
    self.init(name)
    // A name that is also a word of SQL is quoted; relationships aren't parsed as SQL.
    guard !isLink, names(among: [name], linkedTo: [:]) != [name] else { return }
    self.init(quoteIdentifier(name))
  }

  /// Returns the names that the formula reads: of these attributes, and of links to others.
  ///
  /// The result is empty if the formula reads anything else.
  package func names(among attributes: [String], linkedTo links: [String: [String]]) -> [String] {
    let expression = try? ScalarExpression(
      text, over: attributes, scopes: links, functions: FormulaFunctions.all)
    return Set((expression?.names ?? []).map { $0.scope ?? $0.value }).sorted()
  }

  /// The position of the text as `file:line:column`, where it is known.
  package var place: String? { place(of: .init(reason: "", offset: 0)) }

  /// Returns the position of a mistake as `file:line:column`, where it is known.
  ///
  /// An escaped character before the mistake moves the column.
  func place(of mistake: ScalarExpression.Mistake) -> String? {
    guard let node else { return nil }
    let before = text.utf8.prefix(mistake.offset ?? 0)
    let column =
      node.position.column + 1 + indent
      + String(decoding: before, as: UTF8.self).unicodeScalars.count
    let position = TextPosition(line: node.position.line, column: column)
    return (node.file.map { "\($0):" } ?? "") + "\(position)"
  }
}

extension Formula: Hashable {
  package static func == (left: Self, right: Self) -> Bool { left.text == right.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

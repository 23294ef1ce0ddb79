/// How a document is laid out.
package enum JSONStyle: Hashable, Sendable {
  /// Everything on one line, no whitespace.
  case compact

  /// Two spaces per level; arrays and objects that fit in a number of columns stay on one line.
  ///
  /// Columns are Unicode scalars, and count indentation, key and comma. With a width of zero only
  /// empty arrays and objects stay on one line.
  case pretty(inlineWidth: Int)

  /// Two spaces per level; what fits in 100 columns stays on one line.
  package static let pretty = JSONStyle.pretty(inlineWidth: 100)
}

/// The order in which the members of objects are written.
package enum JSONKeyOrder: Hashable, Sendable {
  case given

  /// By the keys' UTF-8 bytes, in objects at every level.
  case sorted
}

extension JSONValue {
  /// The document as text, without a line break at its end.
  ///
  /// Strings escape quotes, backslashes and control characters, nothing else.
  package func text(_ style: JSONStyle = .compact, keys order: JSONKeyOrder = .given) -> String {
    String(decoding: bytes(style, keys: order), as: UTF8.self)
  }

  /// The document as UTF-8, without a line break at its end.
  package func bytes(_ style: JSONStyle = .compact, keys order: JSONKeyOrder = .given) -> [UInt8] {
    var writer = JSONWriter(style: style, order: order)
    writer.write(self)
    return writer.output
  }
}

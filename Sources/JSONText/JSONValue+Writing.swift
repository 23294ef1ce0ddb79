/// The layout of a JSON document.
package enum JSONStyle: Hashable, Sendable {
  /// One line without whitespace.
  case compact

  /// Two spaces for each level; arrays and objects that fit in the width stay on one line.
  ///
  /// Columns count Unicode scalars, including indentation, key and comma. With a width of zero,
  /// only empty arrays and objects stay on one line.
  case pretty(inlineWidth: Int)

  /// Two spaces for each level; what fits in 100 columns stays on one line.
  package static let pretty = JSONStyle.pretty(inlineWidth: 100)
}

/// The order of the members in written objects.
package enum JSONKeyOrder: Hashable, Sendable {
  case given

  /// Sorted by the UTF-8 bytes of the keys, at every level.
  case sorted
}

extension JSONValue {
  /// Returns the document as a string, without a final line break.
  ///
  /// Strings escape only quotes, backslashes and control characters.
  package func text(_ style: JSONStyle = .compact, keys order: JSONKeyOrder = .given) -> String {
    String(decoding: bytes(style, keys: order), as: UTF8.self)
  }

  /// Returns the document in UTF-8, without a final line break.
  package func bytes(_ style: JSONStyle = .compact, keys order: JSONKeyOrder = .given) -> [UInt8] {
    var writer = JSONWriter(style: style, order: order)
    writer.write(self)
    return writer.output
  }
}

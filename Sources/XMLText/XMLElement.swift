package import JSONText

/// An element of an XML document, with its attributes and the elements in it.
package struct XMLElement: Hashable, Sendable {
  /// An attribute of an element.
  package struct Attribute: Hashable, Sendable {
    /// The name, with its prefix.
    package let name: String

    /// The value, with references such as `&amp;` replaced.
    package let value: String
  }

  /// The name, with its prefix.
  package let name: String

  /// The attributes in the order of the text; declarations of namespaces aren't included.
  package let attributes: [Attribute]

  /// The position of the start tag.
  package let position: TextPosition

  /// The elements directly in this one, in the order of the text.
  package internal(set) var children: [XMLElement] = []

  /// The UTF-8 bytes of the text directly in this element, with its white space.
  var content: [UInt8] = []

  init(name: String, attributes: [Attribute], position: TextPosition) {
    self.name = name
    self.attributes = attributes
    self.position = position
  }

  /// The text directly in this element, with its white space.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package var text: String { String(decoding: content, as: UTF8.self) }

  /// Whether the element itself contains text other than white space.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package var hasText: Bool { content.contains { $0 > UInt8(ascii: " ") } }

  /// Returns the value of an attribute, or `nil` if the element doesn't have it.
  ///
  /// - Complexity: O(*n*) in the number of attributes.
  package subscript(name: String) -> String? {
    attributes.first { $0.name == name }?.value
  }
}

/// An error in an XML document.
package struct XMLError: Error, Hashable, Sendable {
  /// The position of the error.
  package let position: TextPosition

  /// The reason: lower case, without a period.
  package let reason: String
}

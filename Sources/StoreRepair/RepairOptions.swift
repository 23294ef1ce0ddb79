package import Migrations

/// What a repair is told.
package struct RepairOptions: Hashable, Sendable {
  /// The versions that the store may be at; empty to search the known ones.
  package var versions: [ModelVersion]

  /// The values for mandatory attributes that have none.
  package var fills: [Fill]

  package init(versions: [ModelVersion] = [], fills: [Fill] = []) {
    self.versions = versions
    self.fills = fills
  }

  /// A value for the rows of an entity that have none in a mandatory attribute.
  package struct Fill: Hashable, Sendable {
    /// The attribute, as `Entity.attribute` or `Entity.attribute.leaf`.
    package let attribute: String

    /// The value as text.
    package let text: String

    /// Parses `Entity.attribute=value`; `nil` if the text has another form.
    package init?(_ text: String) {
      guard let sign = text.firstIndex(of: "=") else { return nil }
      attribute = String(text[..<sign])
      self.text = String(text[text.index(after: sign)...])
      guard attribute.contains("."), !attribute.hasPrefix("."), !attribute.hasSuffix(".") else {
        return nil
      }
    }
  }
}

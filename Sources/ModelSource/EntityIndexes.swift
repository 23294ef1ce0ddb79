import StoreModel

/// The indexes of an entity, as Xcode compiles them from the two forms of the source.
///
/// Observed in the model caches of two apps (`ModelsFromSource.md`).
struct EntityIndexes {
  /// The indexes that the source declares by name.
  var declared: [FetchIndex] = []

  /// The lists of names that the source declares in the form before iOS 11.
  var compound: [[String]] = []

  /// The indexes of the compiled model.
  private(set) var compiled: [FetchIndex] = []

  /// Adds the form that the source lacks, so that old and new systems create the indexes.
  ///
  /// - Parameter properties: The declared properties, of which indexed attributes are marked.
  mutating func compile(_ properties: inout [Property]) {
    let singles = declared.compactMap { $0.elements.count == 1 ? $0.elements[0].propertyName : nil }
    var names: [String] = []
    for index in properties.indices {
      guard case .attribute(var attribute) = properties[index] else { continue }
      if attribute.isIndexed { names.append(attribute.name) }
      attribute.isIndexed = attribute.isIndexed || singles.contains(attribute.name)
      properties[index] = .attribute(attribute)
    }
    let attributes = Set(properties.filter(\.isAttribute).map(\.name))
    for name in singles where attributes.contains(name) && !names.contains(name) {
      names.append(name)
    }
    compiled = (names.map { [$0] } + compound).map { names in
      FetchIndex(
        name: names.joined(separator: "_"),
        elements: names.map { FetchIndex.Element(propertyName: $0) })
    }
    // Of two indexes with one name, Core Data keeps the declared one.
    let taken = Set(declared.map(\.name))
    compiled = compiled.filter { !taken.contains($0.name) } + declared
    compound += declared.filter { $0.elements.count > 1 }.map { $0.elements.map(\.propertyName) }
  }
}

package import JSONText

extension ModelDifference.Change {
  /// The kind of change, its object and its details, for every output format.
  package var parts: (change: String, object: String, detail: String) {
    switch self {
    case .entityAdded(let name): ("added", name, "")
    case .entityRemoved(let name): ("removed", name, "")
    case .propertyAdded(let entity, let property, let kind):
      ("added", "\(entity).\(property)", kind)
    case .propertyRemoved(let entity, let property, let kind):
      ("removed", "\(entity).\(property)", kind)
    case .propertyChanged(let entity, let property, let aspects):
      ("changed", "\(entity).\(property)", aspects.joined(separator: ", "))
    case .entityChanged(let entity, let aspects):
      ("changed", entity, aspects.joined(separator: ", "))
    }
  }

  /// The change in a JSON document.
  package var json: JSONValue {
    [
      "change": .string(parts.change), "object": .string(parts.object),
      "detail": .string(parts.detail),
    ]
  }
}

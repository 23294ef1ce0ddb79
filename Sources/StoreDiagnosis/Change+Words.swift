import StoreModel

extension ModelDifference.Change {
  /// The change in words, such as `+ Entry.note (String)`.
  var words: String {
    switch self {
    case .entityAdded(let name): "+ \(name)"
    case .entityRemoved(let name): "- \(name)"
    case .propertyAdded(let entity, let property, let kind): "+ \(entity).\(property) (\(kind))"
    case .propertyRemoved(let entity, let property, let kind): "- \(entity).\(property) (\(kind))"
    case .propertyChanged(let entity, let property, let aspects):
      "~ \(entity).\(property): \(aspects.joined(separator: ", "))"
    case .entityChanged(let entity, let aspects):
      "~ \(entity): \(aspects.joined(separator: ", "))"
    }
  }
}

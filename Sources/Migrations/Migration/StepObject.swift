import JSONText

/// The object of a step: `Entity` or `Entity.property`.
struct StepObject {
  package let entity: String
  package let path: PropertyPath?
  package let node: JSONNode

  package init(_ node: JSONNode) throws(JSONError) {
    let parts = try node.string.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else {
      throw node.error("'\(try node.string)' isn't an entity or a property; write Entity.property")
    }
    entity = String(parts[0])
    path = parts.count == 2 ? PropertyPath(entity: entity, property: String(parts[1])) : nil
    self.node = node
  }

  package var attribute: PropertyPath {
    get throws(JSONError) {
      guard let path else {
        throw node.error("'\(entity)' is an entity; write \(entity).attribute")
      }
      return path
    }
  }

  /// The entity of a step about rows.
  var entityAlone: String {
    get throws(JSONError) {
      if let path {
        throw node.error("'\(path)' is a property, and the step is about rows; write '\(entity)'")
      }
      return entity
    }
  }
}

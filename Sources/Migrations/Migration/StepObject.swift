import JSONText

/// The object of a step: `Entity`, `Entity.property` or, for some, `Entity.attribute.leaf`.
struct StepObject {
  package let entity: String
  package let path: PropertyPath?
  package let node: JSONNode

  package init(_ node: JSONNode, takingLeaf: Bool = false) throws(JSONError) {
    let parts = try node.string.split(separator: ".", omittingEmptySubsequences: false)
    guard takingLeaf || parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }) else {
      throw node.error("'\(try node.string)' isn't an entity or a property; write Entity.property")
    }
    entity = String(parts[0])
    let name = parts.dropFirst().joined(separator: ".")
    path = parts.count == 1 ? nil : PropertyPath(entity: entity, property: name)
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

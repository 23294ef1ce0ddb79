import SQLite
import StoreFormat
package import StoreModel

/// Composite attributes that get leaves, or lose them: a struct with one more property.
extension Lineage {
  /// Adds a leaf to a composite attribute that rows have already.
  ///
  /// Rows without the composite don't get the leaf's value, because they would get a composite by it.
  mutating func addLeaf(
    _ path: PropertyPath, value: ModelValue?, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    let whole = path.whole
    let present = try cells(of: whole, in: entity(path.entity, in: context), context)
    guard !present.contains(where: { $0.path == path.property }) else {
      throw .exists(path.description, in: context.migration)
    }
    guard case .attribute(let attribute) = try context.targetProperty(whole, names),
      let leaf = attribute.leaves.first(where: {
        $0.cellName(under: whole.property) == path.property
      })
    else {
      throw .unknownProperty(path, in: context.migration, known: present.map(\.path))
    }
    let stored = try context.value(value, of: leaf.attribute, in: attribute, path: path)
    if stored.isNull && !leaf.attribute.isOptional { throw .noValue(path, in: context.migration) }
    let constant = Expression.constant(stored)
    entities[path.entity]?.cells[path.property] =
      stored.isNull || !attribute.isOptional
      ? constant
      : present.reduce(.constant(.null)) { rest, cell in
        .conditional(.null, test: cell.expression, then: rest, otherwise: constant)
      }
  }
}

extension Attribute {
  /// Returns whether rows can have a new leaf, or the attribute itself, without a value from a step.
  func canStart(with leaf: Attribute) -> Bool {
    leaf.isOptional || storedDefault(of: leaf) != nil
  }

  /// Returns the leaves that come and go between two composites whose other leaves are carried.
  ///
  /// - Parameter other: The newer composite.
  /// - Returns: The leaves; `nil` if the composites have the same ones, if none is kept, if a kept
  ///   leaf changes its type, or if one of the attributes isn't a composite.
  package func leafChanges(
    to other: Attribute
  ) -> (added: [AttributeLeaf], dropped: [AttributeLeaf])? {
    guard type == .composite, other.type == .composite else { return nil }
    func byName(_ attribute: Attribute) -> [String: AttributeLeaf] {
      Dictionary(
        attribute.leaves.map { ($0.cellName(under: ""), $0) },
        uniquingKeysWith: { first, _ in first })
    }
    let (before, after) = (byName(self), byName(other))
    let kept = before.filter { after[$0.key] != nil }
    let isCarried = kept.allSatisfy { name, leaf in
      after[name].map { leaf.attribute.isCarried(to: $0.attribute) } ?? false
    }
    guard !kept.isEmpty, isCarried, Set(before.keys) != Set(after.keys) else { return nil }
    return (
      other.leaves.filter { before[$0.cellName(under: "")] == nil },
      leaves.filter { after[$0.cellName(under: "")] == nil }
    )
  }
}

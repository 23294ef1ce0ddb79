package import StoreModel

/// The numbers that Core Data gives the entities of a model.
///
/// Numbers start at 1 without gaps: the root entities by name, case-insensitively, each followed by
/// its sub-entities in the same order, depth first; see `StoreFormat.md` §4.
package struct EntityNumbering: Hashable, Sendable {
  /// The entities' names, in the order of their numbers.
  package let names: [String]

  private let numberByName: [String: Int]
  private let rootByName: [String: String]

  /// Numbers the entities of a model.
  ///
  /// An entity whose chain of super-entities doesn't end at a root of the model gets no number.
  package init(_ model: Model) {
    var children: [String?: [String]] = [:]
    for entity in model.entities {
      children[entity.superentityName, default: []].append(entity.name)
    }
    children = children.mapValues { $0.sorted(by: Self.areInOrder) }
    var names: [String] = []
    var roots: [String: String] = [:]
    var pending = (children[nil] ?? []).reversed().map { ($0, $0) }
    while let (name, root) = pending.popLast() {
      // Strangers' models may have entities that are their own super-entities.
      guard roots[name] == nil else { continue }
      names.append(name)
      roots[name] = root
      pending += (children[name] ?? []).reversed().map { ($0, root) }
    }
    self.names = names
    rootByName = roots
    numberByName = Dictionary(
      names.enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the number of an entity.
  package func number(of entity: String) -> Int? {
    numberByName[entity]
  }

  /// Returns the entity with a number.
  package func name(of number: Int) -> String? {
    names.indices.contains(number - 1) ? names[number - 1] : nil
  }

  /// Returns the root of the inheritance tree that an entity belongs to.
  package func root(of entity: String) -> String? {
    rootByName[entity]
  }

  /// The root entities, in the order of their numbers.
  package var roots: [String] {
    names.filter { rootByName[$0] == $0 }
  }

  /// Returns an inheritance tree's entities, in the order of their numbers.
  ///
  /// - Complexity: O(n) in the number of entities.
  package func tree(of root: String) -> [String] {
    names.filter { rootByName[$0] == root }
  }

  private static func areInOrder(_ left: String, _ right: String) -> Bool {
    let (foldedLeft, foldedRight) = (left.lowercased(), right.lowercased())
    return foldedLeft == foldedRight
      ? left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
      : foldedLeft.unicodeScalars.lexicographicallyPrecedes(foldedRight.unicodeScalars)
  }
}

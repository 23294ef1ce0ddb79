package import StoreModel

/// The numbers that Core Data assigns to the entities of a model.
///
/// Numbers start at 1 and have no gaps. Root entities are sorted by name, ignoring case. Each is
/// followed by its sub-entities in the same order, depth first. See `StoreFormat.md` §4.
package struct EntityNumbering: Hashable, Sendable {
  /// The names of the entities, in the order of their numbers.
  package let names: [String]

  private let numberByName: [String: Int]
  private let rootByName: [String: String]

  /// The number of each entity's last sub-entity, or its own.
  private let lastNumberByName: [String: Int]

  /// Numbers the entities of a model.
  ///
  /// An entity without a root entity in the model gets no number.
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
      // A model from an unknown file can have inheritance cycles.
      guard roots[name] == nil else { continue }
      names.append(name)
      roots[name] = root
      pending += (children[name] ?? []).reversed().map { ($0, root) }
    }
    self.names = names
    rootByName = roots
    numberByName = Dictionary(
      names.enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
    var last = numberByName
    // A super-entity precedes its sub-entities, so theirs are complete before it is looked up.
    for name in names.reversed() {
      guard let parent = model[name]?.superentityName, let own = last[name] else { continue }
      last[parent] = max(last[parent] ?? own, own)
    }
    lastNumberByName = last
  }

  /// Returns the number of an entity, or `nil` if it has none.
  package func number(of entity: String) -> Int? {
    numberByName[entity]
  }

  /// Returns the numbers of an entity and its sub-entities, or `nil` if it has none.
  ///
  /// Entities are numbered depth first, so the numbers have no gaps.
  package func numbers(below entity: String) -> ClosedRange<Int>? {
    guard let first = numberByName[entity], let last = lastNumberByName[entity] else { return nil }
    return first...last
  }

  /// Returns the SQL condition for rows of an entity and its sub-entities.
  package func condition(below entity: String) -> String {
    numbers(below: entity).map { "Z_ENT BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? "0"
  }

  /// Returns the name of the entity with a number, or `nil` if there isn't one.
  package func name(of number: Int) -> String? {
    // A row's number may be any integer, the lowest one too.
    number > 0 && number <= names.count ? names[number - 1] : nil
  }

  /// Returns the root entity of an entity's inheritance tree, or `nil` if it has none.
  package func root(of entity: String) -> String? {
    rootByName[entity]
  }

  /// Returns the number of the root of a numbered entity's tree, or `nil` if there isn't one.
  package func rootNumber(of number: Int64) -> Int64? {
    name(of: Int(clamping: number)).flatMap(root).flatMap(self.number).map(Int64.init)
  }

  /// The root entities, in the order of their numbers.
  package var roots: [String] {
    names.filter { rootByName[$0] == $0 }
  }

  /// Returns the entities of an inheritance tree, in the order of their numbers.
  ///
  /// - Complexity: O(*n*) in the number of entities.
  package func tree(of root: String) -> [String] {
    names.filter { rootByName[$0] == root }
  }

  /// Returns whether an entity's name precedes another without regard to case.
  static func areInOrder(_ left: String, _ right: String) -> Bool {
    let (foldedLeft, foldedRight) = (left.lowercased(), right.lowercased())
    return foldedLeft == foldedRight
      ? left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
      : foldedLeft.unicodeScalars.lexicographicallyPrecedes(foldedRight.unicodeScalars)
  }
}

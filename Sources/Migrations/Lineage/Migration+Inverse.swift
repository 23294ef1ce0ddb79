package import StoreModel

extension Migration {
  /// Returns the inverse: from the version that this migration leads to, to the one it starts at.
  ///
  /// The steps are inverted in reverse order. What a step removed returns without its values: a
  /// property gets its default or, if it is mandatory and has none, the minimal value of its type.
  /// A store that is migrated and then migrated back has every value that reversible steps changed.
  /// Values of one-way steps are restored as far as the converters' inverses allow.
  ///
  /// - Parameters:
  ///   - source: The model that this migration starts at.
  ///   - target: The model that it leads to.
  /// - Returns: The inverse migration.
  package func inverse(source: Model, target: Model) -> Migration {
    var names = PresentNames(source)
    var inverted: [[Step]] = []
    var formulas: [PropertyPath: Formula] = [:]
    let overwriting = overwritingSteps(source: source, target: target)
    for (place, step) in steps.enumerated() {
      if step.isOfOneEntity, isDropped(step.presentEntity, after: place) {
        // The entity returns with all properties, under the names that they had.
        inverted.append([])
      } else if case .compute(let path, _, _) = step, overwriting.contains(place) {
        inverted.append([.drop(path), .add(path, value: path.leastValue(names, source))])
      } else if case .drop(let path) = step, let formula = formulas[path] {
        inverted.append([.compute(path, formula, inverse: [:])])
      } else {
        inverted.append(step.inverse(names, source: source))
      }
      if case .compute(let path, _, let inverse) = step {
        for (name, formula) in inverse {
          formulas[PropertyPath(entity: path.entity, property: name)] = formula
        }
      }
      names.apply(step)
    }
    return Migration(
      app: app, from: to, to: from, note: note.map { "inverse of: \($0)" },
      constants: constants, steps: inverted.reversed().flatMap { $0 })
  }

  /// Returns whether a later step removes an entity.
  private func isDropped(_ entity: String, after place: Int) -> Bool {
    var name = entity
    for step in steps.dropFirst(place + 1) {
      switch step {
      case .renameEntity(name, let newName): name = newName
      case .dropEntity(name): return true
      default: continue
      }
    }
    return false
  }

  /// Returns the places of the steps that replace an attribute's values by computed ones, for good.
  private func overwritingSteps(source: Model, target: Model) -> Set<Int> {
    let candidates = steps.indices.filter { place in
      guard case .compute(let path, _, let inverse) = steps[place] else { return false }
      return inverse[path.property] == nil
    }
    guard !candidates.isEmpty,
      let lineage = try? Lineage(identityOf: source).applying(self, source: source, target: target)
    else { return [] }
    return Set(candidates.filter { !lineage.steps[$0].isReversible })
  }
}

/// The names of entities and properties while a migration's steps run.
private struct PresentNames {
  /// The source's name of each renamed property, by the source's entity and the present name.
  private var renamed: [PropertyPath: String] = [:]

  /// The source's name of each entity, by its present name.
  private var sources: [String: String]

  private let model: Model

  init(_ model: Model) {
    self.model = model
    sources = Dictionary(
      model.entities.map { ($0.name, $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func apply(_ step: Step) {
    switch step {
    case .renameEntity(let name, let newName): sources[newName] = sources.removeValue(forKey: name)
    case .dropEntity(let name): sources[name] = nil
    case .inline(let inline):
      if let part = part(of: inline) { sources[part] = nil }
    case .rename(let path, let name):
      guard let entity = sources[path.entity] else { return }
      let old = PropertyPath(entity: entity, property: path.property)
      renamed[PropertyPath(entity: entity, property: name)] = renamed[old] ?? path.property
    case .addEntity, .add, .drop, .convert, .merge, .split, .backfill, .compute, .map,
      .retype, .newUUID, .require, .deleteRows, .unite, .sequence, .relink, .splitEntity:
      break
    }
  }

  /// Returns the present name of the entity that a step removes by inlining it.
  func part(of inline: EntityInline) -> String? {
    guard case .relationship(let link)? = source(of: inline.path, in: model) else { return nil }
    return sources.first { $0.value == link.destinationName }?.key
  }

  func source(of entity: String) -> String? { sources[entity] }

  /// Returns the source's property for a present one.
  func source(of path: PropertyPath, in model: Model) -> Property? {
    guard let entity = sources[path.entity] else { return nil }
    let present = PropertyPath(entity: entity, property: path.property)
    return model[entity]?[renamed[present] ?? path.property]
  }
}

extension Step {
  /// Whether the step changes one entity alone, or properties of it.
  fileprivate var isOfOneEntity: Bool {
    switch self {
    case .renameEntity, .add, .drop, .rename, .convert, .backfill, .compute, .map, .retype,
      .newUUID, .sequence, .relink:
      true
    case .addEntity, .dropEntity, .merge, .split, .splitEntity, .inline, .require, .deleteRows,
      .unite:
      false
    }
  }

  /// The name of the entity after the step.
  fileprivate var presentEntity: String {
    if case .renameEntity(_, let newName) = self { newName } else { entity }
  }

  fileprivate func inverse(_ names: PresentNames, source: Model) -> [Step] {
    switch self {
    case .addEntity(let name): [.dropEntity(name)]
    case .dropEntity(let name): [.addEntity(names.source(of: name) ?? name)]
    case .renameEntity(let name, let newName): [.renameEntity(newName, to: name)]
    case .add(let path, _): [.drop(path)]
    case .drop(let path): [.add(path, value: path.leastValue(names, source))]
    case .rename(let path, let newName):
      [.rename(PropertyPath(entity: path.entity, property: newName), to: path.property)]
    case .convert(let conversion): [.convert(conversion.inverse)]
    case .merge(let paths, let path): [.split(path, to: paths)]
    case .split(let path, let paths): [.merge(paths, to: path)]
    // Without a condition, the step added the attribute. With one, the attribute existed before.
    case .backfill(let path, _, let condition): condition == nil ? [.drop(path)] : []
    case .newUUID(let path), .sequence(let path, _): [.drop(path)]
    // Rows that are gone come back from the snapshot only.
    case .require, .deleteRows, .unite: []
    case .map(let path, let map):
      [.map(path, map.inverse(standIn: map.standIn(isOptional: path.isOptional(names, source))))]
    case .retype(let path, let change): [.retype(path, change.inverse)]
    case .splitEntity(let split): [.inline(split.inverse)]
    case .inline(let inline):
      names.part(of: inline).map { [.splitEntity(inline.inverse(part: $0))] } ?? []
    case .relink(let path, _):
      if case .relationship(let before)? = names.source(of: path, in: source), !before.isToMany {
        [.relink(path, keep: .first)]
      } else {
        [.relink(path, keep: nil)]
      }
    case .compute(let path, _, let inverse):
      inverse[path.property].map { [.compute(path, $0, inverse: [:])] } ?? [.drop(path)]
    }
  }
}

extension Conversion {
  fileprivate var inverse: Conversion {
    Conversion(
      entity: entity, inputs: outputs, outputs: inputs, converter: converter.inverse)
  }
}

extension ValueMap {
  /// Returns what stands for a value that the reverse table doesn't name.
  ///
  /// A mandatory attribute gets a value that the table names, so the migration can be repeated.
  fileprivate func standIn(isOptional: Bool) -> ModelValue? {
    isOptional ? .null : pairs.first.map { .string($0.key) }
  }
}

extension PropertyPath {
  fileprivate func isOptional(_ names: PresentNames, _ model: Model) -> Bool {
    guard case .attribute(let attribute)? = names.source(of: self, in: model) else { return true }
    return attribute.isOptional || attribute.leaves.allSatisfy(\.attribute.isOptional)
  }

  /// Returns the minimal value of a mandatory attribute without default, else `nil`.
  fileprivate func leastValue(_ names: PresentNames, _ model: Model) -> ModelValue? {
    guard case .attribute(let composite)? = names.source(of: whole, in: model),
      let attribute = isOfLeaf
        ? composite.leaves.first(where: { $0.cellName(under: whole.property) == property })?
          .attribute : composite,
      !attribute.isOptional,
      attribute.defaultValue == nil, attribute.type != .composite
    else { return nil }
    return attribute.type.leastValue
  }
}

extension AttributeType {
  /// The minimal value of the type, if there is one.
  package var leastValue: ModelValue? {
    switch self {
    case .integer16, .integer32, .integer64: .integer(0)
    case .double, .float: .real(0)
    case .decimal: .decimal("0")
    case .string: .string("")
    case .boolean: .boolean(false)
    case .date: .date(0)
    case .uuid: .uuid([UInt8](repeating: 0, count: 16))
    case .uri: .url("")
    case .binary, .transformable: .data([])
    case .composite, .undefined, .objectID, .codable: nil
    }
  }
}

import StoreFormat
package import StoreModel

extension Migration {
  /// The way back: from the version that this migration leads to, to the one it starts at.
  ///
  /// Each step is taken back, the last one first. What a step removed comes back without its values: a
  /// property with its default or, where it is mandatory and has none, with the least a value of its
  /// type can say. So a store that went there and back has every value that a reversible step
  /// changed, and those of one-way steps only as far as their converters' inverses go.
  ///
  /// - Parameters:
  ///   - source: The model that this migration starts at.
  ///   - target: The model that it leads to.
  /// - Returns: The inverse migration.
  package func inverse(source: Model, target: Model) -> Migration {
    var names = PresentNames(source)
    var inverted: [[Step]] = []
    for step in steps {
      inverted.append(step.inverse(names, source: source))
      names.apply(step)
    }
    return Migration(
      app: app, from: to, to: from, note: note.map { "back from: \($0)" },
      steps: inverted.reversed().flatMap { $0 })
  }
}

/// What the entities and properties are called while a migration's steps run.
private struct PresentNames {
  /// The name that each present entity has in the source.
  private var sources: [String: String]

  init(_ model: Model) {
    sources = Dictionary(
      model.entities.map { ($0.name, $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func apply(_ step: Step) {
    switch step {
    case .renameEntity(let name, let newName): sources[newName] = sources.removeValue(forKey: name)
    case .dropEntity(let name): sources[name] = nil
    case .addEntity, .add, .drop, .rename, .convert, .merge, .split, .backfill: break
    }
  }

  func source(of entity: String) -> String? { sources[entity] }
}

extension Step {
  fileprivate func inverse(_ names: PresentNames, source: Model) -> [Step] {
    switch self {
    case .addEntity(let name): [.dropEntity(name)]
    case .dropEntity(let name): [.addEntity(name)]
    case .renameEntity(let name, let newName): [.renameEntity(newName, to: name)]
    case .add(let path, _): [.drop(path)]
    case .drop(let path): [.add(path, value: path.leastValue(names, source))]
    case .rename(let path, let newName):
      [.rename(PropertyPath(entity: path.entity, property: newName), to: path.property)]
    case .convert(let conversion): [.convert(conversion.inverse)]
    case .merge(let paths, let path): [.split(path, to: paths)]
    case .split(let path, let paths): [.merge(paths, to: path)]
    // Without a condition the step made the attribute; with one it was there before.
    case .backfill(let path, _, let condition): condition == nil ? [.drop(path)] : []
    }
  }
}

extension Conversion {
  fileprivate var inverse: Conversion {
    Conversion(
      entity: entity, inputs: outputs, outputs: inputs, converter: converter.inverse)
  }
}

extension PropertyPath {
  /// The value of a mandatory attribute without default that was removed; none for any other.
  fileprivate func leastValue(_ names: PresentNames, _ model: Model) -> ModelValue? {
    guard let entity = names.source(of: entity),
      case .attribute(let attribute) = model[entity]?[property], !attribute.isOptional,
      attribute.defaultValue == nil, attribute.type != .composite
    else { return nil }
    return attribute.type.leastValue
  }
}

extension AttributeType {
  /// The value of the type that says the least.
  fileprivate var leastValue: ModelValue? {
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

import SQLite
import StoreModel

/// The classes under which plans count the values that a formula makes.
struct ValueClasses {
  /// Gives the class of a row's value: one of the names, or `refused`.
  let formula: Formula

  /// The names, in the order of reports.
  let names: [String]

  /// Why a row of the class `refused` is refused.
  let refusal: String
}

extension Lineage {
  /// Sets an attribute to the values of a formula over the row.
  ///
  /// An attribute that exists already is removed first, as by a step `drop`.
  mutating func compute(
    _ path: PropertyPath, by formula: Formula, classes: ValueClasses? = nil,
    inverse: Formula?, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    guard
      case .attribute(let attribute) = try context.targetProperty(path, names)
    else { throw .wrongValue(path, type: "a value of an attribute", in: context.migration) }
    guard let leaf = attribute.leaves.first, attribute.leaves.count == 1 else {
      throw .severalParts(path, in: context.migration)
    }
    var made = try computation(
      formula, of: leaf.attribute.type,
      isOptional: attribute.isOptional || leaf.attribute.isOptional,
      for: path, in: context, names: names)
    if let classes {
      made.classes = .computed(
        try computation(
          classes.formula, of: .string, isOptional: false, for: path,
          as: .classes(classes.names, refusal: classes.refusal), in: context, names: names))
    }
    let before = self
    let old = try entity(path.entity, in: context)
    for cell in old.paths(of: path.property) { entities[path.entity]?.remove(cell) }
    entities[path.entity]?.set(
      leaf.cellName(under: path.property), to: .computed(made), of: StoredType(of: leaf.attribute))
    let oldCells = old.paths(of: path.property)
    guard let oldCell = oldCells.first else { return }
    // The old value may be in the leaf of a composite, and the new one not, or the reverse.
    let restoration = try restoration(
      of: path, by: oldCells.count == 1 ? inverse : nil, type: old.types[oldCell]?.type,
      in: context, names: names)
    let new = entities[path.entity]
    entities = before.entities
    try drop(path, restoredBy: restoration, in: context, names: names)
    entities[path.entity] = new
  }

  /// Sets an attribute to the values of a formula, and notes the inverses of attributes.
  mutating func compute(
    _ path: PropertyPath, by formula: Formula, inverses: [String: Formula],
    in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    try checkNames(of: inverses, path, in: context)
    try compute(path, by: formula, inverse: inverses[path.property], in: context, names: names)
    entities[path.entity]?.inverses.merge(inverses) { $1 }
  }

  /// Throws if an inverse is that of an attribute which the entity doesn't have.
  private func checkNames(
    of inverse: [String: Formula], _ path: PropertyPath, in context: StepContext
  ) throws(LineageError) {
    let entity = try entity(path.entity, in: context)
    guard let unknown = inverse.keys.sorted().first(where: { entity.paths(of: $0).isEmpty }) else {
      return
    }
    let known = Set(entity.cells.keys.map { $0.prefix { $0 != "." } }.map(String.init))
    throw .unknownProperty(
      PropertyPath(entity: path.entity, property: unknown), in: context.migration,
      known: known.sorted())
  }

  /// Checks a formula over an entity's present attributes, and finds the origins of its values.
  func computation(
    _ formula: Formula, of type: AttributeType, isOptional: Bool, for path: PropertyPath,
    as purpose: Computation.Purpose = .value, in context: StepContext, names: TargetNames
  ) throws(LineageError) -> Computation {
    let entity = try entity(path.entity, in: context)
    let cells = cells(readableIn: path.entity, in: context, names: names)
    let links = links(of: path.entity, in: context, names: names)
    let constants = try constants(beside: cells.keys, in: formula, of: path, context)
    let expression: ScalarExpression
    do throws(ScalarExpression.Mistake) {
      expression = try ScalarExpression(
        formula.text, over: (Array(cells.keys) + constants.keys).sorted(),
        scopes: links.mapValues { $0.values.keys.sorted() }, functions: FormulaFunctions.all)
    } catch {
      throw .badFormula(
        path, reason: error.reason, place: formula.place(of: error), in: context.migration)
    }
    let own = Set(expression.names.filter { $0.scope == nil }.map(\.value))
    let scopes = Set(expression.names.compactMap(\.scope))
    if let converted = own.sorted().first(where: { cells[$0]?.isComputable == false }) {
      throw .convertedInput(
        path, converted, madeBy: cells[converted]?.maker ?? "a converter",
        in: context.migration)
    }
    return Computation(
      attribute: path.property, source: entity.rowSource, purpose: purpose, formula: formula,
      expression: expression,
      values: cells.merging(constants.mapValues { .constant($0) }) { cell, _ in cell }
        .filter { own.contains($0.key) },
      links: links.filter { scopes.contains($0.key) }, type: type, isOptional: isOptional)
  }

  /// Returns the attributes that a formula over an entity's rows may name, with inherited ones.
  private func cells(
    readableIn name: String, in context: StepContext, names: TargetNames
  ) -> [String: Expression] {
    context.source.chain(from: names.source(name)).dropFirst().reduce(
      into: entities[name]?.cells ?? [:]
    ) { cells, ancestor in
      let inherited = entities[names.present(ancestor)]?.cells ?? [:]
      cells.merge(inherited) { own, _ in own }
    }
  }

  /// Returns the constants that a formula may name, which aren't names of attributes.
  private func constants(
    beside attributes: some Sequence<String>, in formula: Formula, of path: PropertyPath,
    _ context: StepContext
  ) throws(LineageError) -> [String: Value] {
    let names = Set(attributes.map { $0.lowercased() })
    guard
      let taken = context.constants.keys.sorted().first(where: { names.contains($0.lowercased()) })
    else { return context.constants }
    throw .badFormula(
      path, reason: "the constant '\(taken)' has the name of an attribute; rename the constant",
      place: formula.place, in: context.migration)
  }

  /// Returns what the formulas of earlier steps make of the row, for an attribute to be removed.
  func restoration(
    of path: PropertyPath, in context: StepContext, names: TargetNames
  ) throws(LineageError) -> Expression? {
    guard let formula = entities[path.entity]?.inverses[path.property] else { return nil }
    let cell = try singleCell(of: path, in: context)
    var without = self
    without.entities[path.entity]?.remove(cell.path)
    return try without.restoration(
      of: path, by: formula, type: entities[path.entity]?.types[cell.path]?.type, in: context,
      names: names)
  }

  /// Returns what a formula makes of the row's new values, for a removed attribute.
  private func restoration(
    of path: PropertyPath, by formula: Formula?, type: AttributeType?, in context: StepContext,
    names: TargetNames
  ) throws(LineageError) -> Expression? {
    guard let formula, let type else { return nil }
    return .computed(
      try computation(
        formula, of: type, isOptional: true, for: path, as: .restoration, in: context,
        names: names))
  }

  /// Returns the to-one relationships of an entity, with the unchanged attributes behind them.
  private func links(
    of name: String, in context: StepContext, names: TargetNames
  ) -> [String: Computation.Link] {
    guard let entity = entities[name], let owner = entity.source else { return [:] }
    var links: [String: Computation.Link] = [:]
    for (relationship, lineage) in entity.relationships
    where lineage.match == nil && !lineage.isRelinked {
      guard let source = lineage.source, let destination = source.destination,
        case .relationship(let described) = context.source[names.source(name)]?[relationship],
        !described.isToMany,
        let reached = entities.values.first(where: { $0.source == destination })
      else { continue }
      let values = reached.cells.filter { if case .cell = $0.value { true } else { false } }
      links[relationship] = Computation.Link(
        entity: owner, relationship: source.name, destination: destination, values: values)
    }
    return links
  }
}

extension Expression {
  /// What makes a value that SQL alone doesn't give, as messages call it; `nil` for other values.
  fileprivate var maker: String? {
    switch self {
    case .converted: "a converter"
    case .sequence: "'sequence'"
    case .conditional(.placeholder, _, _, _): "'backfill'"
    case .conditional(_, let test, let then, let otherwise):
      [test, then, otherwise].lazy.compactMap(\.maker).first
    case .computed(let computation): computation.values.values.lazy.compactMap(\.maker).first
    case .cell, .constant, .option, .newUUID: nil
    }
  }

  /// Whether SQL alone gives the value.
  var isComputable: Bool {
    switch self {
    case .cell, .constant, .option, .newUUID: true
    case .converted, .sequence: false
    case .computed(let computation): computation.values.values.allSatisfy(\.isComputable)
    case .conditional(.placeholder, _, _, _): false
    case .conditional(_, let test, let then, let otherwise):
      [test, then, otherwise].allSatisfy(\.isComputable)
    }
  }

  /// Whether the value depends on the key of its row.
  var dependsOnKey: Bool {
    switch self {
    case .newUUID, .sequence: true
    case .cell, .constant, .option: false
    case .converted(_, _, let inputs): inputs.contains(where: \.dependsOnKey)
    case .computed(let computation): computation.values.values.contains(where: \.dependsOnKey)
    case .conditional(_, let test, let then, let otherwise):
      [test, then, otherwise].contains(where: \.dependsOnKey)
    }
  }
}

import SQLite
import StoreFormat
import StoreModel

extension Lineage {
  /// A step that copies attributes of linked rows to the rows with the link.
  package struct Inline: Hashable, Sendable {
    /// The migration.
    package let migration: String

    /// The relationship, by its names before the step.
    package let path: PropertyPath

    /// The entity that the step removes, by its name before the step.
    package let object: String

    /// The relationship of the source.
    package let link: PropertyPath

    /// The source's entity of the linked rows.
    package let part: String

    /// The source's attributes of the linked rows, leaf by leaf, with the values that they give.
    package let values: [Value]

    /// The step's name, as `--accept-data-loss` takes it.
    package var step: String { "\(migration):\(path)" }

    /// A value of a linked row.
    package struct Value: Hashable, Sendable {
      /// The attribute, or a composite's leaf, in the source.
      package let name: String

      /// What the owner's attribute gets.
      package let expression: Expression
    }
  }

  /// Makes attributes of linked rows those of the rows with the link, and removes the entity.
  mutating func inline(
    _ step: EntityInline, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    var owner = try entity(step.path.entity, in: context)
    guard let lineage = owner.relationships[step.path.property] else {
      throw .unknownProperty(
        step.path, in: context.migration, known: owner.relationships.keys.sorted())
    }
    guard let link = context.relationship(lineage, of: names.source(step.path.entity)),
      !link.isToMany
    else {
      throw step.refusal("it isn't a to-one relationship of the version before", in: context)
    }
    let name = presentName(of: link.destinationName, names)
    let part = try entity(name, in: context)
    if let reason = refusal(of: step, lineage, link, part, named: name, in: context) {
      throw step.refusal(reason, in: context)
    }
    guard let source = lineage.source, let ownerSource = owner.source, let partSource = part.source
    else { throw step.refusal("its links are new; migrate in two runs", in: context) }
    var values: [Inline.Value] = []
    for attribute in step.attributes {
      values += try move(attribute, of: name, to: &owner, step, in: context, names: names)
    }
    owner.relationships[step.path.property] = nil
    entities[step.path.entity] = owner
    entities[name] = nil
    inlines.append(
      Inline(
        migration: context.migration, path: step.path, object: name,
        link: PropertyPath(entity: ownerSource, property: source.name), part: partSource,
        values: values))
  }

  /// Gives the owner an attribute of the linked entity, and returns its values.
  private func move(
    _ attribute: MovedAttribute, of name: String, to owner: inout EntityLineage,
    _ step: EntityInline, in context: StepContext, names: TargetNames
  ) throws(LineageError) -> [Inline.Value] {
    let part = try entity(name, in: context)
    let new = PropertyPath(entity: step.path.entity, property: attribute.newName)
    guard owner.paths(of: new.property).isEmpty, owner.relationships[new.property] == nil else {
      throw .exists(new.description, in: context.migration)
    }
    var values: [Inline.Value] = []
    let old = PropertyPath(entity: name, property: attribute.name)
    for cell in try cells(of: old, in: part, context) {
      let newPath = attribute.newName + cell.path.dropFirst(attribute.name.count)
      let type = part.types[cell.path]
      switch cell.expression {
      case .constant: owner.set(newPath, to: cell.expression, of: type)
      case .cell(_, let path):
        let value = try value(of: cell.path, for: newPath, new, step, in: context, names: names)
        owner.set(newPath, to: value, of: type)
        values.append(Inline.Value(name: path, expression: value))
      default:
        throw step.refusal("'\(old)' changes in the same run; migrate in two runs", in: context)
      }
    }
    return values
  }

  /// Returns why a link's entity can't be inlined; `nil` if it can.
  private func refusal(
    of step: EntityInline, _ lineage: RelationshipLineage, _ link: Relationship,
    _ part: EntityLineage, named name: String, in context: StepContext
  ) -> String? {
    guard lineage.match == nil, !lineage.isRelinked, lineage.made == nil, part.split == nil else {
      return "its links change in the same run; migrate in two runs"
    }
    guard let entity = context.source[link.destinationName], context.source.isAlone(entity) else {
      return "'\(name)' has a super-entity or sub-entities"
    }
    if name == step.path.entity { return "it leads to rows of its own entity" }
    if removedRows.contains(where: { $0.source == part.source }) {
      return "rows of '\(name)' are removed in the same run; migrate in two runs"
    }
    let inverse = link.inverseName.flatMap {
      context.source.relationship(named: $0, of: link.destinationName)?.relationship
    }
    if let inverse, inverse.isOrdered {
      return "'\(name).\(inverse.name)' is ordered, and a rollback couldn't find the order again"
    }
    if isRead(part.source) {
      return "rows of '\(name)' are converted or checked in the same run; migrate in two runs"
    }
    let others = part.relationships.filter { $0.value.before != link.inverseName }.keys
    if let other = others.min() {
      return "'\(name).\(other)' has no place; drop it by an earlier step"
    }
    let named = Set(step.attributes.map(\.name))
    let names = Set(part.cells.keys.map { String($0.prefix { $0 != "." }) })
    if let other = names.subtracting(named).min() {
      return "'\(name).\(other)' has no place; name it, or drop it by an earlier step"
    }
    let external = entity.attributes.first {
      $0.allowsExternalStorage && part.cells.keys.contains($0.name)
    }
    return external.map {
      "'\(name).\($0.name)' allows external storage, and several rows can't share its files"
    }
  }

  /// Returns whether steps so far need the values of an entity's rows in another form.
  private func isRead(_ source: String?) -> Bool {
    let dropped = droppedProperties.filter { $0.source == source }.flatMap(\.leaves)
    return convertedProperties.contains { $0.source == source }
      || requirements.contains { $0.source == source }
      || dropped.contains { if case .cell = $0.expression { false } else { true } }
  }

  /// Returns the value of a linked row's attribute, for the owner's attribute.
  private func value(
    of cell: String, for newCell: String, _ path: PropertyPath, _ step: EntityInline,
    in context: StepContext, names: TargetNames
  ) throws(LineageError) -> Expression {
    guard
      case .attribute(let attribute) = try context.targetProperty(path, names),
      let leaf = attribute.leaves.first(where: { $0.cellName(under: path.property) == newCell })
    else { throw .wrongValue(path, type: "a value of an attribute", in: context.migration) }
    let isOptional = attribute.isOptional || leaf.attribute.isOptional
    if attribute.allowsExternalStorage {
      throw step.refusal(
        "'\(path)' allows external storage, and the value has no file", in: context)
    }
    var missing = isOptional ? nil : attribute.storedDefault(of: leaf.attribute)
    if !isOptional, missing == nil, step.fillsMissing {
      missing = leaf.attribute.type.leastValue?.stored(as: leaf.attribute)
    }
    let formula = Formula("\(quoteIdentifier(step.path.property)).\(quoteIdentifier(cell))")
    let value = Expression.computed(
      try computation(
        formula, of: leaf.attribute.type, isOptional: isOptional || missing != nil, for: path,
        in: context, names: names))
    guard let missing else { return value }
    return .conditional(.null, test: value, then: .constant(missing), otherwise: value)
  }
}

extension EntityInline {
  fileprivate func refusal(_ reason: String, in context: StepContext) -> LineageError {
    .notDivisible(
      path.description, verb: "inline", reason: reason, place: place.text, in: context.migration)
  }
}

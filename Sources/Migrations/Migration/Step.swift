package import StoreModel

/// The path of a property in a model: `Entity.property`.
package struct PropertyPath: Hashable, Sendable {
  /// The entity's name.
  package let entity: String

  /// The name of the attribute or relationship.
  package let property: String

  package init(entity: String, property: String) {
    self.entity = entity
    self.property = property
  }
}

extension PropertyPath {
  /// The composite attribute whose leaf the path names; the path itself if it names no leaf.
  package var whole: PropertyPath {
    PropertyPath(entity: entity, property: String(property.prefix { $0 != "." }))
  }

  /// Whether the path names the leaf of a composite attribute, as `Entity.attribute.leaf`.
  package var isOfLeaf: Bool { property.contains(".") }

  /// The path, or the entity's name alone if the path stands for the entity.
  var object: String { entity == property ? entity : description }
}

extension PropertyPath: CustomStringConvertible {
  package var description: String { "\(entity).\(property)" }
}

/// One change in a migration.
///
/// The cases are named after the verbs of migration files: the step
/// `{ "rename": "SDOutboxEvent.retryCount", "to": "attemptCount" }` is a ``rename(_:to:)``.
package enum Step: Hashable, Sendable {
  /// Adds an entity without rows.
  case addEntity(String)

  /// Removes an entity with its rows.
  case dropEntity(String)

  /// Gives an entity another name, keeping its rows and every link to them.
  case renameEntity(String, to: String)

  /// Adds a property; every row gets the value, or the default in the target's model.
  case add(PropertyPath, value: ModelValue?)

  /// Removes a property with its values.
  case drop(PropertyPath)

  /// Gives a property another name, keeping its values.
  case rename(PropertyPath, to: String)

  /// Converts attributes to others, whose values have another form.
  case convert(Conversion)

  /// Unites several attributes, of which a row has at most one.
  ///
  /// Attributes of sub-entities become one of their super-entity.
  case merge([PropertyPath], to: PropertyPath)

  /// Moves an attribute from an entity to sub-entities, whose rows keep their values.
  case split(PropertyPath, to: [PropertyPath])

  /// Fills a property from another source, in all rows or in those that meet a condition.
  case backfill(PropertyPath, from: BackfillSource, where: BackfillCondition?)

  /// Computes an attribute of each row by a formula; others may be computed back from it.
  case compute(PropertyPath, Formula, inverse: [String: Formula])

  /// Replaces each value of an attribute by that of a table.
  case map(PropertyPath, ValueMap)

  /// Gives an attribute the type that it has in the target, reading each value in the new form.
  case retype(PropertyPath, TypeChange)

  /// Adds an attribute, with a UUID for each row that is made from the store's, entity and key.
  case newUUID(PropertyPath)

  /// Refuses the migration if a formula isn't true for a row of an entity, for a reason.
  case require(String, Formula, because: String)

  /// Deletes the rows of an entity for which a formula is true.
  case deleteRows(RowDeletion)

  /// Unites rows of an entity that are equal.
  case unite(RowUnion)

  /// Adds an attribute that numbers the rows in an order.
  case sequence(PropertyPath, RowNumbering)

  /// Gives a relationship the number of links that it has in the target: one, or any.
  ///
  /// If it becomes to-one, `keep` says which of the linked rows stays linked.
  case relink(PropertyPath, keep: RowUnion.Keep?)

  /// Makes attributes of an entity those of a new entity, to which a new link leads.
  case splitEntity(EntitySplit)

  /// Makes attributes of a linked entity those of the rows with the link, and removes the entity.
  case inline(EntityInline)
}

/// Attributes of one entity that are converted to other attributes of it.
package struct Conversion: Hashable, Sendable {
  /// The entity.
  package let entity: String

  /// The attributes that are read and then removed.
  package let inputs: [String]

  /// The attributes that are added; one may have the name of an input.
  package let outputs: [String]

  /// The conversion of the values.
  package let converter: Converter

  package init(entity: String, inputs: [String], outputs: [String], converter: Converter) {
    self.entity = entity
    self.inputs = inputs
    self.outputs = outputs
    self.converter = converter
  }

  /// The paths of the inputs.
  package var inputPaths: [PropertyPath] {
    inputs.map { PropertyPath(entity: entity, property: $0) }
  }

  /// The path of the first input, as plans name the conversion.
  package var object: String { "\(entity).\(inputs.first ?? "")" }
}

/// The source of a backfill's values.
package enum BackfillSource: Hashable, Sendable {
  /// Another attribute of the same row, converted if there is a converter.
  case attribute(String, Converter?)

  /// For a to-one relationship: the row whose attribute equals an attribute of this row.
  case matching(attribute: String, of: String)

  /// An option that the user gives.
  case option(MigrationOption)

  /// The same value for all rows.
  case value(ModelValue)
}

/// An option that a migration can require.
package enum MigrationOption: String, CaseIterable, Hashable, Sendable {
  /// The owner of rows that don't name one.
  case userID = "user-id"
}

/// Which rows a backfill fills, by their present value.
package enum BackfillCondition: String, CaseIterable, Hashable, Sendable {
  /// There is no value.
  case null

  /// The number is 0, or there is no value.
  case zero

  /// The text or bytes are empty, or there is no value.
  case empty

  /// The value is the default in the source's model, occurs in other rows too, or is missing.
  case placeholder
}

extension Step {
  /// The verb, as migration files and plans spell it.
  package var verb: String {
    switch self {
    case .addEntity, .add: "add"
    case .dropEntity, .drop: "drop"
    case .renameEntity, .rename: "rename"
    case .convert: "convert"
    case .merge: "merge"
    case .split, .splitEntity: "split"
    case .inline: "inline"
    case .backfill: "backfill"
    case .compute: "compute"
    case .map: "map"
    case .retype: "retype"
    case .newUUID: "new-uuid"
    case .require: "require"
    case .deleteRows: "delete"
    case .unite: "unite"
    case .sequence: "sequence"
    case .relink: "relink"
    }
  }

  /// What the step changes, by its names before the step.
  package var object: String {
    switch self {
    case .addEntity(let name), .dropEntity(let name), .renameEntity(let name, _),
      .require(let name, _, _):
      name
    case .deleteRows(let deletion): deletion.entity
    case .unite(let union): union.entity
    case .splitEntity(let split): split.entity
    case .inline(let inline): inline.path.description
    case .merge(let paths, _): paths.map(\.description).joined(separator: ", ")
    case .convert(let conversion): conversion.object
    case .add(let path, _), .drop(let path), .rename(let path, _), .split(let path, _),
      .backfill(let path, _, _), .compute(let path, _, _), .map(let path, _), .retype(let path, _),
      .newUUID(let path), .sequence(let path, _), .relink(let path, _):
      path.description
    }
  }

  /// The entity that the step is about, by its name before the step.
  package var entity: String {
    switch self {
    case .addEntity(let name), .dropEntity(let name), .renameEntity(let name, _),
      .require(let name, _, _):
      name
    case .deleteRows(let deletion): deletion.entity
    case .unite(let union): union.entity
    case .splitEntity(let split): split.entity
    case .inline(let inline): inline.path.entity
    case .merge(_, let path): path.entity
    case .convert(let conversion): conversion.entity
    case .add(let path, _), .drop(let path), .rename(let path, _), .split(let path, _),
      .backfill(let path, _, _), .compute(let path, _, _), .map(let path, _), .retype(let path, _),
      .newUUID(let path), .sequence(let path, _), .relink(let path, _):
      path.entity
    }
  }

  /// Whether the step changes a property, which the rows of sub-entities have, too.
  package var isAboutProperty: Bool {
    switch self {
    case .addEntity, .dropEntity, .renameEntity, .require, .deleteRows, .unite: false
    case .merge, .convert, .add, .drop, .rename, .split, .splitEntity, .inline, .backfill,
      .compute, .map, .retype, .newUUID, .sequence, .relink:
      true
    }
  }

  /// The new name or names, separated by commas; `nil` if the step keeps the name.
  package var newName: String? {
    switch self {
    case .renameEntity(_, let name), .rename(_, let name): name
    case .convert(let conversion):
      conversion.outputs == [conversion.inputs[0]]
        ? nil : conversion.outputs.joined(separator: ", ")
    case .split(_, let paths): paths.map(\.description).joined(separator: ", ")
    case .splitEntity(let split): split.part
    case .inline(let inline): inline.attributes.map(\.newName).joined(separator: ", ")
    case .merge(_, let path): path.description
    case .addEntity, .dropEntity, .add, .drop, .backfill, .compute, .map, .retype, .newUUID,
      .require, .deleteRows, .unite, .sequence, .relink:
      nil
    }
  }

  /// Whether the step converts integers to real numbers, which hold all but large ones.
  package var makesReal: Bool {
    if case .convert(let conversion) = self { conversion.converter == .real } else { false }
  }

  /// Whether the step gives an attribute other values, of which plans count those that are lost.
  package var replacesValues: Bool {
    switch self {
    case .compute, .map, .retype: true
    default: false
    }
  }

  /// Whether the values before the step can be restored from those after it.
  ///
  /// A computed attribute is new; see ``Lineage/TracedStep/isReversible`` for one that existed.
  package var isReversible: Bool {
    switch self {
    case .addEntity, .renameEntity, .add, .rename, .merge: true
    case .convert(let conversion): conversion.converter.isReversible
    // It adds an attribute, or replaces values that its condition treats as empty: nothing is lost.
    case .backfill: true
    // What the attribute had before is counted row by row.
    case .compute, .map, .retype: true
    case .newUUID, .require, .sequence: true
    case .relink(_, let keep): keep == nil
    case .splitEntity: true
    // Rows that nobody links to are lost, and shared rows are copied.
    case .inline: false
    case .dropEntity, .drop, .split, .deleteRows, .unite: false
    }
  }
}

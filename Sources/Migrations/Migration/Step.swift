package import StoreModel

/// The place of a property in a model: `Entity.property`.
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

extension PropertyPath: CustomStringConvertible {
  package var description: String { "\(entity).\(property)" }
}

/// One change in a migration.
///
/// The cases carry the verbs of migration files: the step
/// `{ "rename": "SDOutboxEvent.retryCount", "to": "attemptCount" }` is a ``rename(_:to:)``.
package enum Step: Hashable, Sendable {
  /// Adds an entity without rows.
  case addEntity(String)

  /// Removes an entity with its rows.
  case dropEntity(String)

  /// Gives an entity another name, keeping its rows and every link to them.
  case renameEntity(String, to: String)

  /// Adds a property; each row gets the value, or the default of the target's model.
  case add(PropertyPath, value: ModelValue?)

  /// Removes a property with its values.
  case drop(PropertyPath)

  /// Gives a property another name, keeping its values.
  case rename(PropertyPath, to: String)

  /// Makes attributes of others, whose values have another form.
  case convert(Conversion)

  /// Makes one attribute of several, of which a row has one.
  ///
  /// Those of sub-entities become their super-entity's.
  case merge([PropertyPath], to: PropertyPath)

  /// Gives an attribute of an entity to sub-entities, each of whose rows keeps its value.
  case split(PropertyPath, to: [PropertyPath])

  /// Fills a property from elsewhere, in all rows or where a condition holds.
  case backfill(PropertyPath, from: BackfillSource, where: BackfillCondition?)
}

/// Attributes of one entity that become others of it.
package struct Conversion: Hashable, Sendable {
  /// The entity.
  package let entity: String

  /// The attributes that are read and then gone.
  package let inputs: [String]

  /// The attributes that are made; one may have the name of an input.
  package let outputs: [String]

  /// How the values change.
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

  /// What plans call it: the first input.
  package var object: String { "\(entity).\(inputs.first ?? "")" }
}

/// Where the values of a backfill come from.
package enum BackfillSource: Hashable, Sendable {
  /// Another attribute of the same row, converted or as it is.
  case attribute(String, Converter?)

  /// For a to-one relationship: the row whose attribute names the same as an attribute of this row.
  case matching(attribute: String, of: String)

  /// An option that the user gives.
  case option(MigrationOption)

  /// The same value for all rows.
  case value(ModelValue)
}

/// An option that a migration can ask for.
package enum MigrationOption: String, CaseIterable, Hashable, Sendable {
  /// The owner of rows that name none.
  case userID = "user-id"
}

/// Which rows a backfill fills: those whose present value says nothing.
package enum BackfillCondition: String, CaseIterable, Hashable, Sendable {
  /// There is no value.
  case null

  /// The number is 0, or there is none.
  case zero

  /// The text is empty, or there is none.
  case empty

  /// The value is the attribute's default in the store's own model, or other rows have it too.
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
    case .split: "split"
    case .backfill: "backfill"
    }
  }

  /// What the step changes, in the names that hold before it.
  package var object: String {
    switch self {
    case .addEntity(let name), .dropEntity(let name), .renameEntity(let name, _): name
    case .merge(let paths, _): paths.map(\.description).joined(separator: ", ")
    case .convert(let conversion): conversion.object
    case .add(let path, _), .drop(let path), .rename(let path, _), .split(let path, _),
      .backfill(let path, _, _):
      path.description
    }
  }

  /// The entity that the step is about, in the names that hold before it.
  package var entity: String {
    switch self {
    case .addEntity(let name), .dropEntity(let name), .renameEntity(let name, _): name
    case .merge(_, let path): path.entity
    case .convert(let conversion): conversion.entity
    case .add(let path, _), .drop(let path), .rename(let path, _), .split(let path, _),
      .backfill(let path, _, _):
      path.entity
    }
  }

  /// The new name, for steps that give one.
  package var newName: String? {
    switch self {
    case .renameEntity(_, let name), .rename(_, let name): name
    case .convert(let conversion):
      conversion.outputs == [conversion.inputs[0]]
        ? nil : conversion.outputs.joined(separator: ", ")
    case .split(_, let paths): paths.map(\.description).joined(separator: ", ")
    case .merge(_, let path): path.description
    case .addEntity, .dropEntity, .add, .drop, .backfill: nil
    }
  }

  /// A Boolean value indicating whether the values before the step follow from those after it.
  package var isReversible: Bool {
    switch self {
    case .addEntity, .renameEntity, .add, .rename, .merge: true
    case .convert(let conversion): conversion.converter.isReversible
    // Filling what said nothing loses nothing: the snapshot isn't needed to know what stood there.
    case .backfill: true
    case .dropEntity, .drop, .split: false
    }
  }
}

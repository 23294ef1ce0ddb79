package import JSONText

extension SchemaFile {
  /// The format of schema files.
  package static let format = JSONFormat(
    "A schema file of outbox-migrate", version: formatVersion, form,
    shared: [
      ModelValue.shapeName: ModelValue.shape, "entity": .object(Entity.schemaForm),
      "attribute": .object(Attribute.schemaForm),
      "relationship": .object(Relationship.schemaForm),
    ])

  private static let form = JSONForm(
    "A version of an app's model, as Core Data sees it.",
    [
      .required("app", .schemaName, "The app's name; compared without case."),
      .required("version", .schemaName, "The version, or VERSION@EDITION."),
      .optional("note", .string(), "A note for people."),
      .required(
        "identifiers", .array(of: .string()),
        "The version identifiers in the store's metadata, such as '1.0.0'."),
      .optional(
        "dialect", .name(of: ModelDialect.allCases.map(\.rawValue)),
        """
        How the model is archived: by SwiftData since iOS 18 (the default), by SwiftData on iOS 17, \
        or by Xcode.
        """),
      .optional(
        "configurations", .dictionary(of: .array(of: .string())),
        "The entities of each configuration, by its name."),
      .required("entities", .array(of: .shared("entity")), "The entities."),
      .optional(
        "hashes", .dictionary(of: .string()),
        "The SHA-256 of each entity in hexadecimal digits, in a captured schema."),
      .optional(
        "model_cache", .string(),
        "The bytes of Z_MODELCACHE in base64, in a schema that was captured from a store."),
    ])
}

extension JSONShape {
  /// A name for paths and single lines: see `JSONNode.schemaName`.
  static let schemaName = JSONShape.string(
    matching: #"^(?!\.{1,2}$)[^/\u0000-\u001f\u007f-\u009f]+$"#)

  /// Values of a model, by keys that the document chooses.
  static let modelValues = JSONShape.dictionary(of: .shared(ModelValue.shapeName))
}

extension JSONForm.Member {
  /// The keys that entities, attributes and relationships have in common.
  fileprivate static let versioning: [Self] = [
    .optional(
      "renamed_from", .string(), "The renaming identifier: the name in the version before."),
    .optional("hash_modifier", .string(), "The version hash modifier."),
    .optional("info", .modelValues, "The user info."),
  ]

  /// A key whose value is true if it applies.
  fileprivate static func flag(_ key: String, _ meaning: String) -> Self {
    .optional(key, .boolean, meaning)
  }
}

extension Entity {
  /// The form of an entity in a schema file.
  static let schemaForm = JSONForm(
    "An entity.",
    [
      .required("name", .schemaName, "The entity's name."),
      .optional("class", .string(), "The name of the class."),
      .flag("abstract", "Whether the entity has no rows of its own."),
      .optional("parent", .string(), "The super-entity."),
      .optional("attributes", .array(of: .shared("attribute")), "The attributes."),
      .optional("relationships", .array(of: .shared("relationship")), "The relationships."),
      .optional("fetched", .array(of: .string()), "The names of fetched properties."),
      .optional(
        "unique", .array(of: .array(of: .string())),
        "The uniqueness constraints, each a list of property names."),
      .optional("indexes", .array(of: .object(FetchIndex.schemaForm)), "The fetch indexes."),
      .optional(
        "compound_indexes", .array(of: .array(of: .string())),
        "Indexes in the old form, each a list of property names."),
    ] + JSONForm.Member.versioning)
}

extension FetchIndex {
  /// The form of a fetch index in a schema file.
  static let schemaForm = JSONForm(
    "A fetch index.",
    [
      .required("name", .schemaName, "The index's name."),
      .required("elements", .array(of: .object(elementForm)), "The parts, in their order."),
    ])

  /// The form of a part of a fetch index.
  static let elementForm = JSONForm(
    "A part of a fetch index.",
    [
      .required("property", .string(), "The property."),
      .flag("descending", "Whether the order is descending."),
      .optional("kind", .integer, "The number of the kind; 0 is binary."),
    ])
}

extension Attribute {
  /// The form of an attribute in a schema file.
  static let schemaForm = JSONForm(
    "An attribute.",
    [
      .required("name", .schemaName, "The attribute's name."),
      .required("type", .name(of: AttributeType.allCases.map(\.name)), "The type of its values."),
      .flag("optional", "Whether a row may have no value."),
      .flag("transient", "Whether the values aren't stored."),
      .flag("read_only", "Whether the app can't change the values."),
      .flag("indexed", "Whether the attribute is indexed, in the old form."),
      .flag("derived", "Whether triggers in the store compute the values."),
      .optional("default", .shared(ModelValue.shapeName), "The default value."),
      .optional("class", .string(), "The class of the values, if it isn't the type's usual one."),
      .optional("transformer", .string(), "The name of the value transformer."),
      .flag("external", "Whether large values may be stored in files."),
      .flag("preserved", "Whether history keeps the value of a deleted row."),
      .optional("flags", .integer, "Further bits of the archived flags."),
      .optional("elements", .array(of: .shared("attribute")), "The leaves of a composite."),
    ] + JSONForm.Member.versioning)
}

extension Relationship {
  /// The form of a relationship in a schema file.
  static let schemaForm = JSONForm(
    "A relationship.",
    [
      .required("name", .schemaName, "The relationship's name."),
      .required("to", .string(), "The entity that it leads to."),
      .optional("inverse", .string(), "The inverse relationship of that entity."),
      .flag("many", "Whether the relationship is to-many."),
      .optional("max", .integer, "The largest number of links; 0 is no limit."),
      .optional("min", .integer, "The smallest number of links."),
      .optional(
        "delete", .name(of: DeleteRule.allCases.map(\.name)),
        "The delete rule; by default, nullify."),
      .flag("ordered", "Whether the links have an order."),
      .flag("optional", "Whether a row may have no link."),
      .flag("transient", "Whether the links aren't stored."),
    ] + JSONForm.Member.versioning)
}

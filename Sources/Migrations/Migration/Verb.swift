import JSONText

/// The verbs of steps.
///
/// The verb is the first key of a step's object.
enum Verb: String, CaseIterable {
  case add, drop, rename, convert, merge, split, backfill, compute, map, retype, require, decide,
    delete, unite, sequence, relink, inline
  case newUUID = "new-uuid"

  /// The verbs of steps that can be carried out.
  static let decided = allCases.filter { $0 != .decide }

  /// Returns the sentence about a verb that doesn't exist.
  static func refusal(of text: String) -> String {
    let nearest = nearestName(to: text, among: allCases.map(\.rawValue))
    return
      "unknown verb '\(text)'; \(nearest.map { "did you mean '\($0)'?" } ?? "begin with a verb")"
  }
}

extension Verb {
  /// The form of a step with this verb.
  var form: JSONForm { Self.forms[self] ?? JSONForm("", []) }

  private static let forms = Dictionary(
    uniqueKeysWithValues: allCases.map { verb in
      let (meaning, object, members) = verb.parts
      let first = JSONForm.Member.required(
        verb.rawValue, object, "What the step is about.")
      return (verb, JSONForm(meaning, [first] + members, rules: verb.rules))
    })

  /// What the step does, the values of the verb, and the keys beside it.
  private var parts: (meaning: String, object: JSONShape, members: [JSONForm.Member]) {
    switch self {
    case .add, .drop, .rename, .merge, .split: ofNames
    case .convert, .backfill, .compute, .map, .retype, .newUUID, .sequence: ofValues
    case .require, .decide, .delete, .unite, .relink, .inline: ofRows
    }
  }

  /// Steps that add, remove and rename.
  private var ofNames: (meaning: String, object: JSONShape, members: [JSONForm.Member]) {
    switch self {
    case .add:
      (
        "Adds an entity without rows, a property, or a leaf of a composite.", .partName,
        [.optional("default", .modelValue, "The value of a new property in every row.")]
      )
    case .drop:
      (
        "Removes an entity with its rows, or a property or a leaf of a composite with its values.",
        .partName, []
      )
    case .rename:
      (
        "Gives an entity or a property another name.", .objectName,
        [.required("to", .nameAlone, "The new name; of a property, without its entity.")]
      )
    case .merge:
      (
        "Unites attributes, of which a row has at most one, in one attribute.",
        .array(of: .propertyName, atLeast: 1),
        [.required("to", .propertyName, "The attribute that has the values afterwards.")]
      )
    default: Self.splitting
    }
  }

  private static let splitting = (
    "Moves an attribute to sub-entities ('to'), or attributes to a new entity ('into').",
    JSONShape.objectName,
    [
      JSONForm.Member.optional(
        "to", .array(of: .propertyName, atLeast: 1), "The attributes of the sub-entities."),
      .optional("into", .nameAlone, "The new entity."),
      .optional("attributes", .movedAttributes, "The attributes that move."),
      .optional("link", .nameAlone, "The new to-one relationship to the new entity."),
      .optional(
        "per", .name(of: EntitySplit.Per.allCases.map(\.rawValue)),
        "Whether each row gets a row of the new entity, or rows with the same values share one."),
    ]
  )

  /// Steps that make values of attributes.
  private var ofValues: (meaning: String, object: JSONShape, members: [JSONForm.Member]) {
    switch self {
    case .convert: Self.conversion
    case .backfill: Self.filling
    case .compute: Self.computing
    case .map:
      (
        "Replaces each value of an attribute by that of a table.", .propertyName,
        [
          .required(
            "values", .dictionary(of: .modelValue, atLeast: 1), "The new value of each old value."),
          .optional(
            "else", .modelValue,
            "What becomes of other values: 'refuse' (the default), 'keep', or a value."),
        ]
      )
    case .retype:
      (
        "Reads each value in the type that the attribute has in the target.", .propertyName,
        [
          .optional(
            "format", .string(),
            "A form of dates, such as 'yyyy-MM-dd'; of bytes, 'utf-8' or 'base64'."),
          .optional(
            "else", .modelValue,
            "What becomes of a value that can't be read: 'refuse' (the default), or a value."),
        ]
      )
    case .sequence:
      (
        "Adds an integer attribute with the place of each row in an order.", .propertyName,
        [
          .required("by", .formulas, "The formulas by whose values the rows are ordered."),
          .optional("from", .integer, "The first number; by default, 0."),
          .optional("within", .string(), "The formula whose values share a sequence."),
        ]
      )
    default: ("Adds an attribute with a new UUID for each row.", .propertyName, [])
    }
  }

  private static let conversion = (
    "Converts the values of attributes.",
    JSONShape.either([.propertyName, .array(of: .propertyName, atLeast: 1)]),
    [
      JSONForm.Member.optional(
        "to", .either([.nameAlone, .array(of: .nameAlone)]), "The new name or names."),
      .required("with", .string(), "The converter."),
    ]
  )

  private static let filling = (
    "Fills an attribute or a to-one relationship.", JSONShape.propertyName,
    [
      JSONForm.Member.optional(
        "where", .name(of: BackfillCondition.allCases.map(\.rawValue)),
        "Which rows are filled, by their present value; without it, the attribute is new."),
      .optional("from", .nameAlone, "The attribute of the same row whose value is taken."),
      .optional(
        "with", .string(), "The converter of the value."),
      .optional(
        "matching", .nameAlone,
        "For a relationship: the attribute of its destination that equals the value of 'from'."),
      .optional(
        "option", .name(of: MigrationOption.allCases.map(\.rawValue)),
        "The option of the command line that gives the value."),
      .optional("value", .modelValue, "The value."),
    ]
  )

  private static let computing = (
    "Computes an attribute in every row.", JSONShape.propertyName,
    [
      JSONForm.Member.required("sql", .string(), "The formula: an expression of SQLite."),
      .optional(
        "inverse", .dictionary(of: .string()),
        "The formulas that compute other attributes back from this one, by attribute."),
    ]
  )

  /// Steps about rows as a whole, and about links.
  private var ofRows: (meaning: String, object: JSONShape, members: [JSONForm.Member]) {
    switch self {
    case .require:
      (
        "Refuses the migration if a formula is false or NULL for a row.", .entityName,
        [
          .required("sql", .string(), "The formula: an expression of SQLite."),
          .required("because", .string(), "The reason, for people."),
        ]
      )
    case .delete:
      (
        "Deletes the rows for which a formula is true.", .entityName,
        [
          .required("where", .string(), "The formula: an expression of SQLite."),
          .required("because", .string(), "The reason, for people."),
        ]
      )
    case .unite: Self.uniting
    case .inline:
      (
        "Moves attributes of linked rows to the rows with the link.", .propertyName,
        [.required("attributes", .movedAttributes, "The attributes that move.")]
      )
    case .relink:
      (
        "Keeps the links of a relationship that becomes to-one or to-many.", .propertyName,
        [.optional("keep", .kept, "Which row stays linked, if it becomes to-one.")]
      )
    default:
      (
        "Marks a decision that the models don't determine.", .string(),
        [.optional("because", .string(), "What is to decide.")]
      )
    }
  }

  private static let uniting = (
    "Unites rows that are equal.", JSONShape.entityName,
    [
      JSONForm.Member.required(
        "by", .formulas, "The formulas whose values are equal in equal rows."),
      .required("keep", .kept, "Which row stays: 'first', 'newest FORMULA', 'oldest FORMULA'."),
      .optional(
        "links", .name(of: RowUnion.Links.allCases.map(\.rawValue)),
        "What becomes of links to the other rows; by default, merge."),
      .optional(
        "compare", .name(of: RowUnion.Comparison.allCases.map(\.rawValue)),
        "Which texts are equal; by default, exact."),
    ]
  )

  /// The rules about keys that occur together.
  private var rules: [JSONForm.Rule] {
    switch self {
    case .backfill:
      [
        .exactlyOne(of: ["from", "option", "value"]), .needs("with", "from"),
        .needs("matching", "from"), .excludes("with", "matching"),
      ]
    case .split:
      [.exactlyOne(of: ["to", "into"])]
        + ["attributes", "link", "per"].flatMap { [.needs($0, "into"), .needs("into", $0)] }
    default: []
    }
  }
}

extension JSONShape {
  fileprivate static let entityName = JSONShape.string(matching: "^[^.]+$")
  static let propertyName = JSONShape.string(matching: #"^[^.]+\.[^.]+$"#)
  fileprivate static let objectName = JSONShape.string(matching: #"^[^.]+(\.[^.]+)?$"#)
  fileprivate static let partName = JSONShape.string(matching: #"^[^.]+(\.[^.]+)*$"#)
  fileprivate static let nameAlone = JSONShape.string(matching: "^[^.]*$")
  fileprivate static let formulas = JSONShape.array(of: .string(), atLeast: 1)

  /// Names in an array or, with new names, in an object.
  fileprivate static let movedAttributes = JSONShape.either([
    .array(of: .nameAlone, atLeast: 1), .dictionary(of: .nameAlone, atLeast: 1),
  ])
  fileprivate static let kept = JSONShape.string(matching: "^(first$|newest |oldest )")
}

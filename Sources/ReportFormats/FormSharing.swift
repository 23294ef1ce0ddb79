import JSONText
import OutboxConversion
import StoreMigration
import StoreProof

/// Gives names to forms that occur several times, so that a schema has each once.
struct FormSharing {
  private static let names: [JSONForm: String] = Dictionary(
    uniqueKeysWithValues: [
      ("error", .error), ("model", .sourcedModel), ("warning", PlanWarning.form),
      ("step", PlannedStep.form), ("conversion", PlannedConversion.form),
      ("loss", PlannedLoss.form), ("blocker", .blocker), ("example", PlanExample.form),
      ("example_part", PlanExample.Part.form), ("delivery", DeliveryCounts.form),
      ("ledger_entry", .ledgerEntry), ("change", .entityChange), ("version", .version),
      ("difference", .modelDifference), ("cell", .cell), ("link_cell", .linkCell),
      ("row", .row), ("link", .link), ("statistics_of_user", .userStatistics),
      ("entity_states", .entityStates), ("content", .content), ("check", .check),
      ("queue", .queue), ("cloudkit", .mirroring), ("snapshot", .snapshot),
      ("attribute_row", .attributeProperty),
    ].map { (name: String, form: JSONForm) in (form, name) })

  /// The shapes that have names in the forms so far.
  private(set) var shared: [String: JSONShape]

  init(_ shared: [String: JSONShape]) { self.shared = shared }

  /// Returns the form with references to the shapes that have names.
  mutating func callAsFunction(_ form: JSONForm) -> JSONForm {
    var members: [JSONForm.Member] = []
    for member in form.members {
      let shape = self(member.shape)
      members.append(
        member.isRequired
          ? .required(member.key, shape, member.meaning)
          : .optional(member.key, shape, member.meaning))
    }
    return JSONForm(form.meaning, members, rules: form.rules)
  }

  private mutating func callAsFunction(_ shape: JSONShape) -> JSONShape {
    switch shape {
    case .array(let element, let count): return .array(of: self(element), atLeast: count)
    case .dictionary(let element, let count): return .dictionary(of: self(element), atLeast: count)
    case .either(let shapes):
      var all: [JSONShape] = []
      for shape in shapes { all.append(self(shape)) }
      return .either(all)
    case .object(let form):
      guard let name = Self.names[form] else { return .object(self(form)) }
      if shared[name] == nil { shared[name] = .object(self(form)) }
      return .shared(name)
    case .string, .name, .integer, .count, .constant, .number, .boolean, .null, .shared:
      return shape
    }
  }
}

import Migrations
import StoreModel

extension AppMigration {
  /// What an effect means for the rows of a store.
  struct Verdict {
    let severity: LintFinding.Severity
    let rule: LintRule
    let object: String

    /// The number of rows or values that it concerns.
    let count: Int64
    let message: String
  }

  /// The counts in a store for one effect.
  struct Counts {
    /// The number of the entity's rows.
    let rows: Int64

    /// The number of the property's values, or of rows without one if it becomes mandatory.
    let values: Int64

    /// The number of links to rows of the entity.
    let links: Int64
  }
}

extension AppMigration.Effect {
  /// Returns what the effect means; `nil` if it doesn't affect the store.
  func verdict(_ counts: AppMigration.Counts) -> AppMigration.Verdict? {
    switch self {
    case .newMandatory(let entity, let attributes): verdict(entity, attributes, counts.rows)
    case .nowMandatory(let path):
      counts.values == 0
        ? nil
        : error(
          .mandatoryWithoutDefault, path.description, counts.values,
          "it becomes mandatory without a default, and some rows have no value: the app can't open the "
            + "store (Core Data error 134110)")
    case .typeChanged(let path, let from, let to):
      error(
        .typeChanged, path.description, counts.values,
        "it changes from \(from) to \(to): Core Data can't infer a mapping, even without rows, and "
          + "the app can't open the store (Core Data error 134190)")
    case .manyToOne(let path):
      error(
        .manyToOne, path.description, counts.rows,
        "it changes from to-many to to-one: Core Data can't infer a mapping, and the app can't open "
          + "the store (Core Data error 134190)")
    case .entityDropped(let name): verdict(ofDropped: name, counts)
    case .valuesDropped(let path):
      counts.values == 0
        ? nil
        : error(
          .valuesDropped, path.description, counts.values,
          "the app's migration drops these values; they are neither empty nor the default")
    }
  }

  private func error(
    _ rule: LintRule, _ object: String, _ count: Int64, _ message: String
  ) -> AppMigration.Verdict {
    .init(severity: .error, rule: rule, object: object, count: count, message: message)
  }

  private func verdict(
    _ entity: String, _ attributes: [String], _ rows: Int64
  ) -> AppMigration.Verdict {
    let names = attributes.joined(separator: ", ")
    let what =
      attributes.count == 1
      ? "\(names) is new and mandatory without a default"
      : "\(attributes.count) attributes are new and mandatory without a default (\(names))"
    let rule = LintRule.mandatoryWithoutDefault
    guard rows > 0 else {
      return .init(
        severity: .note, rule: rule, object: entity, count: 0,
        message: "\(what): it is unknown whether the app opens the store without rows")
    }
    return error(
      rule, entity, rows, "\(what): the app can't open the store (Core Data error 134110)")
  }

  private func verdict(
    ofDropped name: String, _ counts: AppMigration.Counts
  ) -> AppMigration.Verdict? {
    guard counts.rows > 0 || counts.links > 0 else { return nil }
    let links = counted(counts.links, "link", "links")
    let lost = counts.links > 0 ? ", and \(links) to them become null" : ""
    return error(
      .entityDropped, name, counts.rows,
      "the app's migration drops the entity with its rows\(lost): there is no renaming identifier")
  }
}

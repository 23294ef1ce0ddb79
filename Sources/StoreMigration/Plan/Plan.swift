public import Migrations
package import OutboxConversion
import StoreProof

/// What a migration would do to a store, computed before anything is written.
///
/// A plan is a value; using it doesn't change the store. It contains counts, names and
/// fingerprints. It contains values of rows only if you asked for examples with values.
public struct Plan: Hashable, Sendable {
  /// The app.
  public let app: String

  /// The version the store is at.
  public let from: String

  /// The version that the migration leads to.
  public let to: String

  /// The names of the migrations, in order.
  public let migrations: [String]

  /// The steps, in order.
  public let steps: [PlannedStep]

  /// The conversions of values that change their form.
  public let conversions: [PlannedConversion]

  /// The values that can't be restored from the target; losses without rows are left out.
  public let losses: [PlannedLoss]

  /// What you should know before applying.
  public internal(set) var warnings: [PlanWarning]

  /// The reasons why `apply` with the same options would refuse, in the order it would find them.
  ///
  /// A plan that is read from a file has those that its losses and its rows without owner give.
  public internal(set) var blockers: [PlanBlocker] = []

  /// The number of rows that are rewritten: the rows of tables that change.
  public let rowsWritten: Int64

  /// How the rows of the outbox are written.
  public let rows: MigrationRequest.Rows

  /// What happens to the rows of Lume's outbox with `--rows deliverable`.
  ///
  /// With documented rows, this is a forecast. `nil` if the migration converts no such outbox, or
  /// if a row can't be read in the deliverable form.
  package let delivery: DeliveryCounts?

  /// The first row of each kind whose values change their form.
  package internal(set) var examples: [PlanExample]

  /// The number of bytes that must be free on the store's disk.
  public let neededBytes: Int64

  /// A Boolean value indicating whether applying would change the store.
  public var hasChanges: Bool { !migrations.isEmpty }

  /// A Boolean value indicating whether all values can be restored without the snapshot.
  ///
  /// Every step can be reversed, and nothing is lost.
  public var isReversible: Bool {
    steps.allSatisfy(\.isReversible) && losses.allSatisfy { $0.rows == 0 }
  }
}

/// One step of a plan.
public struct PlannedStep: Hashable, Sendable {
  /// The migration that the step belongs to.
  public let migration: String

  /// What the step does, as migration files spell it: `add`, `rename`, `unite`.
  public let verb: String

  /// What it changes: `Entity` or `Entity.property`, in the names before the step.
  public let object: String

  /// The new name or names; `nil` if the step gives none.
  public let newName: String?

  /// The number of rows that it changes; for a property, with those of sub-entities.
  public let rows: Int64

  /// A Boolean value indicating whether the values before the step follow from those after it.
  public let isReversible: Bool
}

/// The conversion of one attribute's values, the links of one relationship, or the rows of one entity.
public struct PlannedConversion: Hashable, Sendable {
  /// The attribute or relationship in the source, or the entity.
  public let object: String

  /// The attribute or relationship in the target, or the entity.
  public let target: String

  /// The number of values that are converted, of links or of rows.
  public let rows: Int64

  /// The number of values in each class, in the converter's order.
  public let classes: [ClassCount]
}

/// The number of a conversion's values in one class.
public struct ClassCount: Hashable, Sendable {
  /// The class's name.
  public let name: String

  /// The number of values in the class.
  public let count: Int64
}

/// Values that can't be restored from the target.
public struct PlannedLoss: Hashable, Sendable {
  /// The step's name, as `--accept-data-loss` takes it.
  public let step: String

  /// The property or entity, in the names before the step.
  public let object: String

  /// The number of values or rows that would be lost.
  public let rows: Int64

  package init(step: String, object: String, rows: Int64) {
    self.step = step
    self.object = object
    self.rows = rows
  }
}

/// Something that you should know before applying.
public struct PlanWarning: Hashable, Sendable {
  /// A stable code for scripts.
  public let code: String

  /// The number of rows that it is about.
  public let rows: Int64

  /// What it means and what to do, without values of rows.
  public let message: String

  /// The number of rows of each event type; empty if the warning isn't about events.
  public let eventTypes: [String: Int64]

  package init(code: String, rows: Int64, message: String, eventTypes: [String: Int64] = [:]) {
    self.code = code
    self.rows = rows
    self.message = message
    self.eventTypes = eventTypes
  }
}

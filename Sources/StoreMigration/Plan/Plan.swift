public import Migrations
import RowRewriting
package import OutboxConversion
import StoreProof

/// What a migration would do to a store, settled before anything is written.
///
/// A plan is a value: printing it, comparing it and throwing it away leave the store alone. It
/// holds counts, names and marks; a value of a row only where examples were asked for with theirs.
public struct Plan: Hashable, Sendable {
  /// The app.
  public let app: String

  /// The version the store is at.
  public let from: String

  /// The version it will be at.
  public let to: String

  /// The migrations on the way, by name.
  public let migrations: [String]

  /// The changes, in order.
  public let steps: [PlannedStep]

  /// What becomes of the values that change their form.
  public let conversions: [PlannedConversion]

  /// The values that have no place in the target, where there are some.
  public let losses: [PlannedLoss]

  /// What one should know before applying.
  public let warnings: [PlanWarning]

  /// The rows that are written anew, those of entities that change.
  public let rowsWritten: Int64

  /// How the rows of the outbox are written.
  public let rows: MigrationRequest.Rows

  /// What becomes of the rows of an outbox in the form that the app sends.
  ///
  /// What is done where that is asked for, else what would be; none where there is no such outbox.
  package let delivery: DeliveryCounts?

  /// Rows whose values change their form, the first of each kind.
  package internal(set) var examples: [PlanExample]

  /// The bytes that must be free beside the store.
  public let neededBytes: Int64

  /// A Boolean value indicating whether applying would change the store.
  public var hasChanges: Bool { !migrations.isEmpty }

  /// A Boolean value indicating whether every step can be taken back without the snapshot.
  public var isReversible: Bool { steps.allSatisfy(\.isReversible) }
}

/// One step of a plan.
public struct PlannedStep: Hashable, Sendable {
  /// The migration it belongs to.
  public let migration: String

  /// What it does.
  public let verb: String

  /// What it does it to: `Entity` or `Entity.property`, in the names that hold before it.
  public let object: String

  /// The new name, where it gives one.
  public let newName: String?

  /// The rows that it changes.
  public let rows: Int64

  /// A Boolean value indicating whether the values before it follow from those after it.
  public let isReversible: Bool
}

/// What becomes of the values of one attribute that change their form.
public struct PlannedConversion: Hashable, Sendable {
  /// The attribute in the source.
  public let object: String

  /// The attribute in the target.
  public let target: String

  /// The values that are converted.
  public let rows: Int64

  /// How many values are of each class, in the converter's order.
  public let classes: [ClassCount]
}

/// How many values of a conversion are of one class.
public struct ClassCount: Hashable, Sendable {
  /// The class's name.
  public let name: String

  /// How many values are of it.
  public let count: Int64
}

/// Values that have no place in the target.
public struct PlannedLoss: Hashable, Sendable {
  /// The step's name, as `--accept-data-loss` takes it.
  public let step: String

  /// The property or entity, in the names that hold before the step.
  public let object: String

  /// How many values, or rows, would be lost.
  public let rows: Int64

  package init(step: String, object: String, rows: Int64) {
    self.step = step
    self.object = object
    self.rows = rows
  }
}

/// Something that one should know before applying.
public struct PlanWarning: Hashable, Sendable {
  /// A stable code for scripts.
  public let code: String

  /// How many rows it is about.
  public let rows: Int64

  /// What it means and what to do, without values of rows.
  public let message: String

  /// The rows by event type, where it is about events.
  public let eventTypes: [String: Int64]

  package init(code: String, rows: Int64, message: String, eventTypes: [String: Int64] = [:]) {
    self.code = code
    self.rows = rows
    self.message = message
    self.eventTypes = eventTypes
  }
}

package import Migrations
import RowRewriting
package import OutboxConversion
import StoreProof

/// What a migration would do to a store, settled before anything is written.
///
/// A plan is a value: printing it, comparing it and throwing it away leave the store alone. It
/// holds counts, names and marks; a value of a row only where examples were asked for with theirs.
package struct Plan: Hashable, Sendable {
  /// The app.
  package let app: String

  /// The version the store is at.
  package let from: String

  /// The version it will be at.
  package let to: String

  /// The migrations on the way, by name.
  package let migrations: [String]

  /// The changes, in order.
  package let steps: [PlannedStep]

  /// What becomes of the values that change their form.
  package let conversions: [PlannedConversion]

  /// The values that have no place in the target, where there are some.
  package let losses: [PlannedLoss]

  /// What one should know before applying.
  package let warnings: [PlanWarning]

  /// The rows that are written anew, those of entities that change.
  package let rowsWritten: Int64

  /// How the rows of the outbox are written.
  package let rows: MigrationRequest.Rows

  /// What becomes of the rows of an outbox in the form that the app sends.
  ///
  /// What is done where that is asked for, else what would be; none where there is no such outbox.
  package let delivery: DeliveryCounts?

  /// Rows whose values change their form, the first of each kind.
  package internal(set) var examples: [PlanExample]

  /// The bytes that must be free beside the store.
  package let neededBytes: Int64

  /// A Boolean value indicating whether applying would change the store.
  package var hasChanges: Bool { !migrations.isEmpty }

  /// A Boolean value indicating whether every step can be taken back without the snapshot.
  package var isReversible: Bool { steps.allSatisfy(\.isReversible) }
}

/// One step of a plan.
package struct PlannedStep: Hashable, Sendable {
  /// The migration it belongs to.
  package let migration: String

  /// What it does.
  package let verb: String

  /// What it does it to: `Entity` or `Entity.property`, in the names that hold before it.
  package let object: String

  /// The new name, where it gives one.
  package let newName: String?

  /// The rows that it changes.
  package let rows: Int64

  /// A Boolean value indicating whether the values before it follow from those after it.
  package let isReversible: Bool
}

/// What becomes of the values of one attribute that change their form.
package struct PlannedConversion: Hashable, Sendable {
  /// The attribute in the source.
  package let object: String

  /// The attribute in the target.
  package let target: String

  /// The values that are converted.
  package let rows: Int64

  /// How many values are of each class, in the converter's order.
  package let classes: [ClassCount]
}

/// How many values of a conversion are of one class.
package struct ClassCount: Hashable, Sendable {
  /// The class's name.
  package let name: String

  /// How many values are of it.
  package let count: Int64
}

/// Values that have no place in the target.
package struct PlannedLoss: Hashable, Sendable {
  /// The step's name, as `--accept-data-loss` takes it.
  package let step: String

  /// The property or entity, in the names that hold before the step.
  package let object: String

  /// How many values, or rows, would be lost.
  package let rows: Int64

  package init(step: String, object: String, rows: Int64) {
    self.step = step
    self.object = object
    self.rows = rows
  }
}

/// Something that one should know before applying.
package struct PlanWarning: Hashable, Sendable {
  /// A stable code for scripts.
  package let code: String

  /// How many rows it is about.
  package let rows: Int64

  /// What it means and what to do, without values of rows.
  package let message: String

  /// The rows by event type, where it is about events.
  package let eventTypes: [String: Int64]

  package init(code: String, rows: Int64, message: String, eventTypes: [String: Int64] = [:]) {
    self.code = code
    self.rows = rows
    self.message = message
    self.eventTypes = eventTypes
  }
}

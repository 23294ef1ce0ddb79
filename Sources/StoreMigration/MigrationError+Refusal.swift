/// Refusals of a row's value, which don't keep other rows from being counted.
extension MigrationError {
  /// The refusal that an error is; any other error is thrown.
  init(refusalIn error: any Error) throws {
    guard let refusal = error as? MigrationError, case .value = refusal else { throw error }
    self = refusal
  }

  /// The one of two refusals whose row has the lesser key.
  static func firstRefusal(_ one: MigrationError?, _ other: MigrationError?) -> MigrationError? {
    guard let one, let other else { return one ?? other }
    return one.rowKey <= other.rowKey ? one : other
  }

  /// The key of the row whose value is refused.
  private var rowKey: Int64 { if case .value(_, let key, _, _) = self { key } else { .max } }
}

/// A store beside the receipt of the run that left it.
public struct ReceiptComparison: Hashable, Sendable {
  /// The path of the snapshot's folder.
  public let snapshot: String

  /// What the run was.
  public let kind: Receipt.Kind

  /// The versions before and after it.
  public let from: String
  public let to: String

  /// When it ran, as `2026-11-21T01:58:00Z`.
  public let time: String

  /// The tool and its version.
  public let tool: String

  /// A Boolean value indicating whether the rows are those that it left.
  public let isUnchanged: Bool

  /// What was written since, by entity; none if it can't be told.
  public let changes: [EntityChange]?

  /// The files of large values that came, changed or went since.
  public let files: FileChanges
}

/// How many files of large values came, changed and went.
public struct FileChanges: Hashable, Sendable {
  /// The files that are new.
  public internal(set) var added: Int64 = 0

  /// The files with other bytes.
  public internal(set) var changed: Int64 = 0

  /// The files that are no more.
  public internal(set) var removed: Int64 = 0

  /// A Boolean value indicating whether there is none.
  public var isEmpty: Bool { added + changed + removed == 0 }
}

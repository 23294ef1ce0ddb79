package import Migrations
package import StoreFormat

/// What `status` found.
public struct StatusReport: Hashable, Sendable {
  /// An entity of the store, with the number of its rows.
  public struct EntityRows: Hashable, Sendable {
    /// The entity's name.
    public let name: String

    /// The number of its rows; `nil` if they weren't counted.
    public let rows: Int64?
  }

  /// The version that a store is at according to the receipt of a run of this tool.
  public struct RecordedVersion: Hashable, Sendable, CustomStringConvertible {
    /// The app's name.
    public let app: String

    /// The version's name.
    public let name: String

    public var description: String { "\(app) \(name)" }
  }

  /// The path as typed.
  public let path: String

  /// The sizes of the main file and the write-ahead log, in bytes.
  public let mainBytes: Int64
  public let walBytes: Int64

  /// The version that the store is recognised as.
  package let recognition: Recognition

  /// The version's name; `nil` unless the store is exactly at a known version.
  public var version: String? { recognition.match == .exact ? recognition.version?.name : nil }

  /// Whether nothing gives the store's model: neither its own cache, a known version nor an option.
  package let lacksModel: Bool

  /// The app's name; `nil` unless the store is exactly at a known version.
  public var app: String? { recognition.match == .exact ? recognition.version?.app : nil }

  /// The version by the receipt of the newest run that left this model.
  ///
  /// It is `nil` without a receipt, or if the store is recognised at least partially.
  public let recorded: RecordedVersion?

  /// The version identifiers in the store's metadata.
  public let versionIdentifiers: [String]

  /// The entities, in the order of their numbers.
  public let entities: [EntityRows]

  /// What is known of the mirroring to CloudKit; `nil` if the store doesn't mirror.
  package let mirroring: Mirroring?

  /// The mirroring of a store to CloudKit.
  package struct Mirroring: Hashable, Sendable {
    /// The numbers of rows; `nil` if they weren't counted.
    package let counts: MirroringCounts?

    /// The changes on the way to the newest version that the cloud can't follow.
    package let changes: [CloudSchemaChange]
  }

  /// The processes that have the store open, in words.
  public let holders: [String]

  /// What an interrupted run left, in words.
  public let remains: [String]

  /// What you should know before using the store.
  public let warnings: [PlanWarning]
}

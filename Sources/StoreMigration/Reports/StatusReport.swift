package import Migrations

/// What `status` found.
public struct StatusReport: Hashable, Sendable {
  /// One entity of the store, with its rows.
  public struct EntityRows: Hashable, Sendable {
    /// The entity's name.
    public let name: String

    /// The number of its rows; none where they weren't counted.
    public let rows: Int64?
  }

  /// The path as it was typed.
  public let path: String

  /// The sizes of the main file and the write-ahead log, in bytes.
  public let mainBytes: Int64
  public let walBytes: Int64

  /// Which version the store is at.
  package let recognition: Recognition

  /// The version's name; `nil` unless the store is exactly at a known version.
  public var version: String? { recognition.match == .exact ? recognition.version?.name : nil }

  /// The app's name; `nil` unless the store is exactly at a known version.
  public var app: String? { recognition.match == .exact ? recognition.version?.app : nil }

  /// What the metadata says the version is.
  public let versionIdentifiers: [String]

  /// The entities, in the order of their numbers.
  public let entities: [EntityRows]

  /// The processes that have the store open, in words.
  public let holders: [String]

  /// What an interrupted run left, in words.
  public let remains: [String]
}

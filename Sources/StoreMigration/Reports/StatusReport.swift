package import Migrations

/// What `status` found.
package struct StatusReport: Hashable, Sendable {
  /// One entity of the store, with its rows.
  package struct EntityRows: Hashable, Sendable {
    /// The entity's name.
    package let name: String

    /// The number of its rows; none where they weren't counted.
    package let rows: Int64?
  }

  /// The path as it was typed.
  package let path: String

  /// The sizes of the main file and the write-ahead log, in bytes.
  package let mainBytes: Int64
  package let walBytes: Int64

  /// Which version the store is at.
  package let recognition: Recognition

  /// What the metadata says the version is.
  package let versionIdentifiers: [String]

  /// The entities, in the order of their numbers.
  package let entities: [EntityRows]

  /// The processes that have the store open, in words.
  package let holders: [String]

  /// What an interrupted run left, in words.
  package let remains: [String]
}

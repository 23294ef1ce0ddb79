package import PropertyList
package import StoreModel

/// A store's metadata: its identity, and the model it was last opened with.
///
/// The source is `Z_METADATA`: see `StoreFormat.md` §3.2. Unknown keys are kept unchanged.
package struct StoreMetadata: Hashable, Sendable {
  /// The store's UUID as canonical uppercase text.
  package let uuid: String

  /// The property list, by key.
  package private(set) var values: [String: PropertyList]

  /// Reads the metadata from its row.
  ///
  /// - Parameters:
  ///   - uuid: The text in `Z_UUID`.
  ///   - plist: The bytes in `Z_PLIST`.
  /// - Throws: ``StoreFormatError/badMetadata(_:)`` if the bytes aren't a binary property list with
  ///   a dictionary.
  package init(uuid: String, plist: [UInt8]) throws(StoreFormatError) {
    let list: PropertyList
    do {
      // Real metadata has a few dozen values.
      list = try PropertyList(binary: plist, budget: 1_000_000)
    } catch {
      throw .badMetadata(error.description)
    }
    guard let values = list.dictionaryValue else { throw .badMetadata("it isn't a dictionary") }
    self.uuid = uuid
    self.values = values
  }

  /// Creates the metadata of a new store.
  ///
  /// - Parameters:
  ///   - uuid: The store's UUID as canonical uppercase text.
  ///   - model: The store's model.
  ///   - frameworkVersion: The Core Data build to record as the writer.
  package init(uuid: String, model: Model, frameworkVersion: Int64) {
    self.uuid = uuid
    values = [
      "NSStoreType": .string("SQLite"),
      "_NSAutoVacuumLevel": .string("2"),
      "NSStoreModelVersionHashesVersion": .integer(3),
      "NSPersistenceFrameworkVersion": .integer(frameworkVersion),
      "NSStoreModelVersionChecksumKey": .string(""),
    ]
    set(model: model)
  }

  /// The keys that no known system writes, sorted: an app's own.
  var unknownKeys: [String] {
    let known: Set = [
      "NSStoreModelVersionIdentifiers", "NSStoreModelVersionHashes",
      "NSStoreModelVersionHashesVersion", "NSStoreModelVersionHashesDigest",
      "NSStoreModelVersionChecksumKey", "NSPersistenceFrameworkVersion",
      "NSPersistenceMaximumFrameworkVersion", "NSStoreType", "_NSAutoVacuumLevel",
      "_NSStoreAncillaryModelVersionHashesMetadataKey",
    ]
    return values.keys.filter { !known.contains($0) }.sorted()
  }

  /// The developer's version identifiers; SwiftData writes `major.minor.patch`.
  package var versionIdentifiers: [String] {
    values["NSStoreModelVersionIdentifiers"]?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// The 32-byte hash of each entity, or `nil` if the metadata has no hashes.
  package var hashes: VersionHashes? {
    guard let entries = values["NSStoreModelVersionHashes"]?.dictionaryValue else { return nil }
    return VersionHashes(entities: entries.compactMapValues(\.dataValue))
  }

  /// The digest of all hashes, or `nil` if the system that wrote the store doesn't write one.
  package var digest: String? { values["NSStoreModelVersionHashesDigest"]?.stringValue }

  /// The checksum of all hashes, or `nil` if the system that wrote the store doesn't write one.
  package var checksum: String? { values["NSStoreModelVersionChecksumKey"]?.stringValue }

  /// The Core Data build that wrote the metadata.
  package var frameworkVersion: Int64? { values["NSPersistenceFrameworkVersion"]?.integerValue }

  /// Sets the identifiers and hashes to those of a model.
  ///
  /// The digest and checksum are updated only if they exist, because older systems don't know them.
  package mutating func set(model: Model) {
    let hashes = VersionHashes(model)
    let identifiers = model.versionIdentifiers.map { PropertyList.string($0) }
    values["NSStoreModelVersionIdentifiers"] = .array(identifiers)
    values["NSStoreModelVersionHashes"] = .dictionary(hashes.entities.mapValues { .data($0) })
    if digest != nil || checksum != nil {
      values["NSStoreModelVersionHashesDigest"] = .string(hashes.digest)
    }
    if checksum != nil { values["NSStoreModelVersionChecksumKey"] = .string(hashes.checksum) }
  }

  /// The contents of `Z_PLIST`.
  package var plist: [UInt8] {
    PropertyList.dictionary(values).binary()
  }
}

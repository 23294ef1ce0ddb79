package import PropertyList
package import StoreModel

/// What a store's `Z_METADATA` says: its identity and the model it was last opened with.
///
/// See `StoreFormat.md` §3.2. Keys that aren't known are kept as they are.
package struct StoreMetadata: Hashable, Sendable {
  /// The store's UUID, in its canonical upper-case text.
  package let uuid: String

  /// The whole property list, by key.
  package private(set) var values: [String: PropertyList]

  /// Reads the metadata from the two columns of its row.
  ///
  /// - Parameters:
  ///   - uuid: The text of `Z_UUID`.
  ///   - plist: The bytes of `Z_PLIST`.
  /// - Throws: ``StoreFormatError/badMetadata(_:)`` for bytes that aren't a binary property list of a
  ///   dictionary.
  package init(uuid: String, plist: [UInt8]) throws(StoreFormatError) {
    let list: PropertyList
    do {
      // Real ones have some tens of values.
      list = try PropertyList(binary: plist, budget: 1_000_000)
    } catch {
      throw .badMetadata(error.description)
    }
    guard let values = list.dictionaryValue else { throw .badMetadata("it isn't a dictionary") }
    self.uuid = uuid
    self.values = values
  }

  /// Makes the metadata of a new store.
  ///
  /// - Parameters:
  ///   - uuid: The store's UUID, in its canonical upper-case text.
  ///   - model: The model the store is made for.
  ///   - frameworkVersion: The build of Core Data that the store claims to be written by.
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

  /// What the developer called the model's version: SwiftData writes `major.minor.patch`.
  package var versionIdentifiers: [String] {
    values["NSStoreModelVersionIdentifiers"]?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// The 32-byte hash of each entity, by name; none where the metadata has no hashes.
  package var hashes: VersionHashes? {
    guard let entries = values["NSStoreModelVersionHashes"]?.dictionaryValue else { return nil }
    return VersionHashes(entities: entries.compactMapValues(\.dataValue))
  }

  /// The digest over all hashes, where the system that wrote the store knew it.
  package var digest: String? { values["NSStoreModelVersionHashesDigest"]?.stringValue }

  /// The checksum over all hashes, where the system that wrote the store knew it.
  package var checksum: String? { values["NSStoreModelVersionChecksumKey"]?.stringValue }

  /// The build of Core Data that wrote the metadata.
  package var frameworkVersion: Int64? { values["NSPersistenceFrameworkVersion"]?.integerValue }

  /// Makes the metadata say that the store is at a model.
  ///
  /// Digest and checksum are written only where the metadata had them: older systems don't know them.
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

  /// The bytes of `Z_PLIST`.
  package var plist: [UInt8] {
    PropertyList.dictionary(values).binary()
  }
}

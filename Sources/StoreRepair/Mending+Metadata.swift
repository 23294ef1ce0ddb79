import Migrations
import Platform
import SQLite
import StoreFormat
import StoreModel

extension Mending {
  /// Writes the metadata of the version, if the store has none or that of another.
  ///
  /// The store's UUID and unknown keys are kept where they can be read.
  mutating func mendMetadata(_ connection: borrowing Connection) throws {
    let store = try StoreDescription(reading: connection)
    let hashes = VersionHashes(model)
    let rows = try connection.rows("SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION")
    let uuid = rows.compactMap { $0[0].string }.first { uuidBytes($0) != nil }
    if uuid != nil, let metadata = store.metadata, store.metadataCount == 1,
      metadata.hashes == hashes,
      metadata.digest.map({ $0 == hashes.digest }) ?? true,
      metadata.checksum.map({ $0 == hashes.checksum }) ?? true
    {
      return
    }
    if uuid == nil {
      account.notes.append(
        "the store has a new identity (UUID), because the old one can't be read; "
          + "tokens of its history and of CloudKit don't fit any more")
    }
    let identity = uuid ?? Self.newUUID()
    // Of several rows, Core Data reads one; another may be the only one that can be read.
    let found =
      store.metadata
      ?? rows.lazy.compactMap { row in
        row[1].bytes.flatMap { try? StoreMetadata(uuid: identity, plist: $0) }
      }.first
    var metadata =
      found
      ?? StoreMetadata(
        uuid: identity, model: model, frameworkVersion: FreshStore.frameworkVersion)
    metadata.set(model: model)
    try connection.execute("DELETE FROM Z_METADATA")
    try connection.execute(
      "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?1, ?2)",
      [.text(identity), .blob(metadata.plist)])
    account.add(
      .metadata, "Z_METADATA",
      "metadata written for '\(chosen.version.name)'"
        + (found == nil ? ", because there was none that can be read" : ""))
  }

  /// Returns a random UUID (RFC 9562, version 4) as text.
  private static func newUUID() -> String {
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return uuidText(bytes)
  }

  /// The first build of Core Data that writes a model cache (`StoreFormat.md` §3.3).
  private static let firstWithCache: Int64 = 600

  /// Writes the model of the version into the cache, if the store has none or that of another.
  ///
  /// Stores of old systems have no cache, and get none.
  mutating func mendModelCache(_ connection: borrowing Connection) throws {
    let store = try StoreDescription(reading: connection)
    if let cached = store.cachedModel, store.modelCacheCount == 1,
      VersionHashes(cached) == VersionHashes(model)
    {
      return
    }
    let isOld = store.metadata?.frameworkVersion.map { $0 < Self.firstWithCache } ?? false
    guard !(store.lacksModelCache && isOld) else { return }
    if store.table(named: "Z_MODELCACHE") == nil {
      try connection.execute(SystemTables.createStatements[2])
    }
    try connection.execute("DELETE FROM Z_MODELCACHE")
    try connection.execute(
      "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?1)", [.blob(try cacheBytes())])
    account.add(
      .modelCache, "Z_MODELCACHE",
      "the model of '\(chosen.version.name)' written into the cache")
  }

  /// The bytes of the cache: those that were captured with the version, if they are of the model.
  private func cacheBytes() throws(ArchiveError) -> [UInt8] {
    if let captured = chosen.version.capturedCache,
      let cached = try? ModelCache.decode(captured), VersionHashes(cached) == VersionHashes(model)
    {
      return captured
    }
    return try ModelCache.encode(model)
  }
}

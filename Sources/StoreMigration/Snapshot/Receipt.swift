import JSONText
import Platform

/// What a run did to a store, kept with the snapshot that takes it back.
///
/// The receipt is written before the exchange, as `pending`, and marked `done` after it.
public struct Receipt: Hashable, Sendable {
  /// The version of the format that this library reads and writes.
  public static let formatVersion: Int64 = 1

  /// How far the run got.
  public enum State: String, CaseIterable, Hashable, Sendable {
    /// Everything is on the disk; whether the exchange happened shows in the store's identity.
    case pending

    /// The new store took the old one's place.
    case done

    /// A rollback is about to put the old store back; whether it did shows in the store's identity.
    case rollingBack = "rolling-back"
  }

  /// What stands at a path: the file itself and a hash of its bytes.
  public struct FileRecord: Hashable, Sendable {
    /// The file's device and inode.
    public let identity: FileIdentity

    /// The SHA-256 of its bytes, in hexadecimal digits.
    public let hash: String
  }

  /// How far the run got.
  public var state: State

  /// The app.
  public let app: String

  /// The version the store was at.
  public let from: String

  /// The version it was brought to.
  public let to: String

  /// When the run began, as `2026-11-21T01:58:00Z`.
  public let time: String

  /// The store's name, without its folder.
  public let store: String

  /// The tool's version.
  public let tool: String

  /// What the user asked for.
  public let request: MigrationRequest

  /// The migrations on the way: their names with the SHA-256 of their files.
  public let migrations: [String: String]

  /// The main file as it was found, before anything was folded into it.
  public let found: FileRecord

  /// The SHA-256 of the write-ahead log as it was found; none where there was none.
  public let foundWAL: String?

  /// The SHA-256 of the snapshot: the main file with its log folded in and ``header`` in place.
  public let snapshotHash: String

  /// The first 100 bytes of the store with its log folded in, before its journal mode was changed.
  public let header: [UInt8]

  /// The new store.
  public let written: FileRecord

  /// The copy of the snapshot that a rollback puts in place; none while there is no rollback.
  public var restored: FileRecord?

  /// The digest of the new store's entity hashes.
  public let digest: String

  /// The logical hash of the new store's rows, which the app's opening it doesn't change.
  public let contentHash: String

  /// The files of large values, by name, with the SHA-256 of each.
  public let external: [String: String]

  /// The rows written anew.
  public let rowsWritten: Int64

  /// What became of every property.
  public let ledger: [LedgerEntry]
}

extension Receipt {
  /// The text of the receipt's file.
  var text: String {
    let value: JSONValue = [
      "format_version": .int(Self.formatVersion), "state": .string(state.rawValue),
      "tool": .string(tool), "time": .string(time), "store": .string(store), "app": .string(app),
      "from": .string(from), "to": .string(to), "request": request.json,
      "migrations": .object(
        migrations.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }),
      "found": found.json, "found_wal": JSONValue(foundWAL),
      "snapshot": ["sha256": .string(snapshotHash), "header": .string(base64Encoded(header))],
      "written": written.json, "restored": restored?.json ?? .null, "digest": .string(digest),
      "content": .string(contentHash),
      "external": .object(
        external.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }),
      "rows_written": .int(rowsWritten),
      "ledger": .array(ledger.map(\.json)),
    ]
    return value.text(.pretty) + "\n"
  }

  /// Reads a receipt's file.
  init(parsing bytes: [UInt8], file: String?) throws(JSONError) {
    let object = try JSONNode(parsing: bytes, file: file).object(allowing: [
      "format_version", "state", "tool", "time", "store", "app", "from", "to", "request",
      "migrations", "found", "found_wal", "snapshot", "written", "restored", "digest", "content",
      "external",
      "rows_written", "ledger",
    ])
    try object.checkFormatVersion(Self.formatVersion)
    state = try object.required("state").name(as: State.self)
    tool = try object.required("tool").string
    time = try object.required("time").string
    store = try object.required("store").string
    app = try object.required("app").string
    from = try object.required("from").string
    to = try object.required("to").string
    request = try MigrationRequest(parsing: object.required("request"))
    migrations = try object.required("migrations").stringsByKey
    found = try FileRecord(parsing: object.required("found"))
    let wal = try object.required("found_wal")
    foundWAL = wal.isNull ? nil : try wal.string
    let snapshot = try object.required("snapshot").object(allowing: ["sha256", "header"])
    snapshotHash = try snapshot.required("sha256").string
    let headerNode = try snapshot.required("header")
    guard let bytes = base64Decoded(try headerNode.string), bytes.count == 100 else {
      throw headerNode.error("the header isn't 100 bytes in base64")
    }
    header = bytes
    written = try FileRecord(parsing: object.required("written"))
    let restoredNode = try object.required("restored")
    restored = restoredNode.isNull ? nil : try FileRecord(parsing: restoredNode)
    digest = try object.required("digest").string
    contentHash = try object.required("content").string
    let externalNode = try object.required("external")
    external = try externalNode.stringsByKey
    if external.keys.contains(where: { $0.contains("/") || $0 == ".." || $0 == "." || $0.isEmpty })
    {
      throw externalNode.error("a file of a large value has a plain name; the receipt was changed")
    }
    rowsWritten = try object.required("rows_written").integer
    ledger = try object.required("ledger").array.map { node throws(JSONError) in
      try LedgerEntry(parsing: node)
    }
  }
}

extension Receipt.FileRecord {
  fileprivate var json: JSONValue {
    [
      "device": .string(String(identity.device)), "inode": .string(String(identity.inode)),
      "sha256": .string(hash),
    ]
  }

  fileprivate init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(allowing: ["device", "inode", "sha256"])
    let device = try object.required("device")
    let inode = try object.required("inode")
    guard let deviceNumber = UInt64(try device.string), let inodeNumber = UInt64(try inode.string)
    else { throw node.error("device and inode are numbers, as texts") }
    self.init(
      identity: FileIdentity(device: deviceNumber, inode: inodeNumber),
      hash: try object.required("sha256").string)
  }
}

extension MigrationRequest {
  /// The request as receipts spell it.
  var json: JSONValue {
    [
      "to": JSONValue(target), "user_id": JSONValue(userID), "rows": .string(rows.rawValue),
      "accepted_losses": .array(acceptedLosses.map { .string($0) }),
    ]
  }

  init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(allowing: ["to", "user_id", "rows", "accepted_losses"])
    let (target, user) = (try object.required("to"), try object.required("user_id"))
    self.init(
      target: target.isNull ? nil : try target.string,
      userID: user.isNull ? nil : try user.string,
      rows: try object.required("rows").name(as: Rows.self),
      acceptedLosses: try object.required("accepted_losses").strings)
  }
}

extension LedgerEntry {
  /// The entry as receipts and reports spell it.
  public var json: JSONValue {
    [
      "entity": .string(entity), "property": .string(property), "rows": .int(rows),
      "identical": .int(identical), "converted": .int(converted), "normalised": .int(normalised),
      "whitespace_bytes": .int(whitespaceBytes), "set_aside": .int(setAside),
    ]
  }

  init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(allowing: [
      "entity", "property", "rows", "identical", "converted", "normalised", "whitespace_bytes",
      "set_aside",
    ])
    self.init(
      entity: try object.required("entity").string, property: try object.required("property").string
    )
    rows = try object.required("rows").integer
    identical = try object.required("identical").integer
    converted = try object.required("converted").integer
    normalised = try object.required("normalised").integer
    whitespaceBytes = try object.required("whitespace_bytes").integer
    setAside = try object.required("set_aside").integer
  }
}

extension JSONNode {
  /// The texts of an object, by key.
  var stringsByKey: [String: String] {
    get throws(JSONError) {
      var values: [String: String] = [:]
      for member in try object.members { values[member.key] = try member.node.string }
      return values
    }
  }
}

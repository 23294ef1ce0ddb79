import JSONText
import Platform

extension Receipt {
  /// The text of the receipt's file, in JSON.
  var text: String {
    let names: [JSONValue.Member] = [
      .init("format_version", .int(Self.formatVersion)), .init("state", .string(state.rawValue)),
      .init("kind", .string(kind.rawValue)), .init("command", JSONValue(command)),
      .init("undone", JSONValue(undone)), .init("undone_is_obsolete", .bool(isUndoneObsolete)),
      .init("tool", .string(tool)), .init("time", .string(time)), .init("store", .string(store)),
      .init("app", .string(app)), .init("from", .string(from)), .init("to", .string(to)),
    ]
    let files: [JSONValue.Member] = [
      .init("found", found.json),
      .init("companions", ["before": before.json, "after": after.json]),
      .init(
        "snapshot",
        .object([.init(hash: snapshotHash)] + [.init("header", .string(base64Encoded(header)))])),
      .init("written", written.json), .init("digest", .string(digest)),
      .init("content_before", .string(contentBefore)), .init("content", .string(contentHash)),
      .init("carried", .array(carried.map { .string($0) })),
      .init("rows_written", .int(rowsWritten)), .init("duration_ms", .int(durationMilliseconds)),
    ]
    return JSONValue.object(names + details.plan + files + details.outcome).text(.pretty) + "\n"
  }

  /// Parses the bytes of a receipt's file.
  init(parsing bytes: [UInt8], file: String?) throws(JSONError) {
    let node = try JSONNode(parsing: bytes, file: file)
    try node.object.checkFormatVersion(Self.formatVersion)
    let object = try node.object(Self.form, allowingOthers: true)
    state = try object.required("state").name(as: State.self)
    kind = try object.required("kind").name(as: Kind.self)
    command = try object.required("command").optionalString
    undone = try object.required("undone").snapshotName
    isUndoneObsolete = try object.required("undone_is_obsolete").bool
    tool = try object.required("tool").string
    time = try object.required("time").string
    store = try object.required("store").string
    app = try object.required("app").string
    from = try object.required("from").string
    to = try object.required("to").string
    found = try FileRecord(parsing: object.required("found"))
    (before, after) = try Companions.pair(parsing: object.required("companions"))
    (snapshotHash, header) = try Self.snapshot(parsing: object.required("snapshot"))
    written = try FileRecord(parsing: object.required("written"))
    digest = try object.required("digest").string
    contentBefore = try object.required("content_before").string
    contentHash = try object.required("content").string
    carried = try object.optional("carried")?.strings ?? []
    rowsWritten = try object.required("rows_written").integer
    durationMilliseconds = try object.required("duration_ms").integer
    details = Details(of: object, besides: Set(Self.form.keys + ["format_version"]))
  }

  private static func snapshot(
    parsing node: JSONNode
  ) throws(JSONError) -> (hash: String, header: [UInt8]) {
    let object = try node.object(snapshotForm)
    let headerNode = try object.required("header")
    guard let header = base64Decoded(try headerNode.string), header.count == 100 else {
      throw headerNode.error("the header isn't 100 bytes in base64")
    }
    return (try object.fileHash, header)
  }
}

extension Receipt.Details {
  fileprivate init(of object: JSONObject, besides ownKeys: Set<String>) {
    let end = object.members.firstIndex { $0.key == "found" } ?? 0
    func details(_ members: ArraySlice<JSONNode.Member>) -> [JSONValue.Member] {
      members.filter { !ownKeys.contains($0.key) }.map { .init($0.key, $0.node.json) }
    }
    self.init(plan: details(object.members[..<end]), outcome: details(object.members[end...]))
  }
}

extension Receipt.FileRecord {
  fileprivate var json: JSONValue {
    .object(
      [
        .init("device", .string(String(identity.device))),
        .init("inode", .string(String(identity.inode))),
        .init(hash: hash),
      ])
  }

  fileprivate init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.form)
    let device = try object.required("device")
    let inode = try object.required("inode")
    guard let deviceNumber = UInt64(try device.string), let inodeNumber = UInt64(try inode.string)
    else { throw node.error("'device' and 'inode' must be strings of digits") }
    self.init(
      identity: FileIdentity(device: deviceNumber, inode: inodeNumber),
      hash: try object.fileHash)
  }
}

extension JSONValue.Member {
  /// The hash of a file, by the algorithm that its digits show.
  fileprivate init(hash: String) {
    self.init(HashAlgorithm(of: hash).rawValue, .string(hash))
  }
}

extension JSONObject {
  /// The hash of a file: its XXH128, or the SHA-256 of a receipt that lacks it.
  fileprivate var fileHash: String {
    get throws(JSONError) {
      if optional("xxh128") == nil, let former = optional("sha256") {
        return try former.string
      }
      return try required("xxh128").string
    }
  }
}

extension Receipt.Companions {
  fileprivate static func pair(
    parsing node: JSONNode
  ) throws(JSONError) -> (before: Self, after: Self) {
    let object = try node.object(pairForm)
    return (
      try Self(parsing: object.required("before")), try Self(parsing: object.required("after"))
    )
  }

  fileprivate var json: JSONValue {
    [
      "wal": JSONValue(wal), "journal": JSONValue(journal),
      "external": .object(
        external.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }),
    ]
  }

  fileprivate init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.form)
    let externalNode = try object.required("external")
    let external = try externalNode.stringsByKey
    // Another name could lead out of the external data folder (j).
    guard external.keys.allSatisfy(Directory.isPlain) else {
      throw externalNode.error("invalid name of an external storage file; the receipt was changed")
    }
    self.init(
      wal: try object.required("wal").optionalString,
      journal: try object.required("journal").optionalString, external: external)
  }
}

extension JSONNode {
  /// The name of another snapshot of the store; `nil` for `null`.
  fileprivate var snapshotName: String? {
    get throws(JSONError) {
      if isNull { return nil }
      let name = try string
      // Another name could lead to a folder that isn't a snapshot's (j).
      guard SnapshotFolder.isName(name) else {
        throw error("invalid name of a snapshot; the receipt was changed")
      }
      return name
    }
  }

  /// The node as a value, without its position in the text.
  fileprivate var json: JSONValue {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let spelling):
      // One number has one value, however it is spelled.
      Int64(spelling).map { .int($0) }
        ?? Double(spelling).map { number in
          Int64(exactly: number).map { .int($0) } ?? (number.isFinite ? .double(number) : .null)
        } ?? .null
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map(\.json))
    case .object(let members): .object(members.map { .init($0.key, $0.node.json) })
    }
  }
}

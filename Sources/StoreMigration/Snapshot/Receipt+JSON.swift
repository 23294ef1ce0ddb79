package import JSONText
import Platform
import Migrations
import RowRewriting

extension Receipt {
  /// The text of the receipt's file.
  var text: String {
    let value: JSONValue = [
      "format_version": .int(Self.formatVersion), "state": .string(state.rawValue),
      "kind": .string(kind.rawValue), "command": JSONValue(command), "undone": JSONValue(undone),
      "undone_is_obsolete": .bool(isUndoneObsolete),
      "tool": .string(tool), "time": .string(time), "store": .string(store), "app": .string(app),
      "from": .string(from), "to": .string(to), "request": request.json,
      "migrations": .object(
        migrations.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }),
      "plan": plan?.json ?? .null,
      "found": found.json,
      "companions": ["before": before.json, "after": after.json],
      "snapshot": .object(
        snapshotHashes.members + [.init("header", .string(base64Encoded(header)))]),
      "written": written.json, "digest": .string(digest),
      "content_before": .string(contentBefore), "content": .string(contentHash),
      "rows_written": .int(rowsWritten), "duration_ms": .int(durationMilliseconds),
      "ledger": .array(ledger.map(\.json)), "delivery": delivery?.json ?? .null,
    ]
    return value.text(.pretty) + "\n"
  }

  /// Reads a receipt's file.
  init(parsing bytes: [UInt8], file: String?) throws(JSONError) {
    let object = try JSONNode(parsing: bytes, file: file).object(allowing: [
      "format_version", "state", "kind", "command", "undone", "undone_is_obsolete", "tool", "time",
      "store",
      "app", "from", "to", "request", "migrations", "plan", "found", "companions", "snapshot",
      "written", "digest", "content_before", "content", "rows_written", "duration_ms", "ledger",
      "delivery",
    ])
    try object.checkFormatVersion(Self.formatVersion)
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
    request = try MigrationRequest(parsing: object.required("request"))
    migrations = try object.required("migrations").stringsByKey
    let planNode = try object.required("plan")
    plan = planNode.isNull ? nil : try PlanRecord(parsing: planNode)
    found = try FileRecord(parsing: object.required("found"))
    let companions = try object.required("companions").object(allowing: ["before", "after"])
    before = try Companions(parsing: companions.required("before"))
    after = try Companions(parsing: companions.required("after"))
    let snapshot = try object.required("snapshot").object(allowing: ["sha256", "xxh128", "header"])
    snapshotHashes = try FileHashes(parsing: snapshot)
    let headerNode = try snapshot.required("header")
    guard let bytes = base64Decoded(try headerNode.string), bytes.count == 100 else {
      throw headerNode.error("the header isn't 100 bytes in base64")
    }
    header = bytes
    written = try FileRecord(parsing: object.required("written"))
    digest = try object.required("digest").string
    contentBefore = try object.required("content_before").string
    contentHash = try object.required("content").string
    rowsWritten = try object.required("rows_written").integer
    durationMilliseconds = try object.required("duration_ms").integer
    ledger = try object.required("ledger").array.map { node throws(JSONError) in
      try LedgerEntry(parsing: node)
    }
    let counts = try object.required("delivery")
    delivery = counts.isNull ? nil : try DeliveryCounts(parsing: counts)
  }
}

extension Receipt.FileRecord {
  fileprivate var json: JSONValue {
    .object(
      [
        .init("device", .string(String(identity.device))),
        .init("inode", .string(String(identity.inode))),
      ] + hashes.members)
  }

  fileprivate init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(allowing: ["device", "inode", "sha256", "xxh128"])
    let device = try object.required("device")
    let inode = try object.required("inode")
    guard let deviceNumber = UInt64(try device.string), let inodeNumber = UInt64(try inode.string)
    else { throw node.error("device and inode are numbers, as texts") }
    self.init(
      identity: FileIdentity(device: deviceNumber, inode: inodeNumber),
      hashes: try FileHashes(parsing: object))
  }
}

extension FileHashes {
  fileprivate var members: [JSONValue.Member] {
    [.init("sha256", .string(sha256))] + (xxh128.map { [.init("xxh128", .string($0))] } ?? [])
  }

  fileprivate init(parsing object: JSONObject) throws(JSONError) {
    self.init(
      sha256: try object.required("sha256").string, xxh128: try object.optional("xxh128")?.string)
  }
}

extension Receipt.Companions {
  fileprivate var json: JSONValue {
    [
      "wal": JSONValue(wal), "journal": JSONValue(journal),
      "external": .object(
        external.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }),
    ]
  }

  fileprivate init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(allowing: ["wal", "journal", "external"])
    let externalNode = try object.required("external")
    let external = try externalNode.stringsByKey
    guard external.keys.allSatisfy(Directory.isPlain) else {
      throw externalNode.error("a file of a large value has a plain name; the receipt was changed")
    }
    self.init(
      wal: try object.required("wal").optionalString,
      journal: try object.required("journal").optionalString, external: external)
  }
}

extension Receipt.PlanRecord {
  fileprivate var json: JSONValue {
    [
      "steps": JSONValue(steps) { $0.json },
      "conversions": JSONValue(conversions) { $0.json }, "losses": JSONValue(losses) { $0.json },
    ]
  }

  fileprivate init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(allowing: ["steps", "conversions", "losses"])
    self.init(
      steps: try object.required("steps").list { (node) throws(JSONError) in
        try PlannedStep(parsing: node)
      },
      conversions: try object.required("conversions").list { (node) throws(JSONError) in
        try PlannedConversion(parsing: node)
      },
      losses: try object.required("losses").list { (node) throws(JSONError) in
        try PlannedLoss(parsing: node)
      })
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
  package var json: JSONValue {
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
  /// The name of another snapshot of the store; `nil` for `null`.
  fileprivate var snapshotName: String? {
    get throws(JSONError) {
      if isNull { return nil }
      let name = try string
      guard SnapshotFolder.isName(name) else {
        throw error("a snapshot is named by versions and time; the receipt was changed")
      }
      return name
    }
  }

  /// The texts of an object, by key.
  var stringsByKey: [String: String] {
    get throws(JSONError) {
      var values: [String: String] = [:]
      for member in try object.members { values[member.key] = try member.node.string }
      return values
    }
  }
}

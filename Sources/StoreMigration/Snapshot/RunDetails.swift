package import StoreExchange
import Migrations
package import JSONText
import OutboxConversion
package import StoreProof

/// The part of a receipt that describes the run, and that its exchange doesn't need.
struct RunDetails: Hashable, Sendable {
  /// What was planned and done, counted as in a plan.
  struct PlanRecord: Hashable, Sendable {
    /// The changes, in order.
    let steps: [PlannedStep]

    /// What became of the converted values.
    let conversions: [PlannedConversion]

    /// The accepted losses that had rows.
    let losses: [PlannedLoss]
  }

  /// What the user asked for.
  var request = MigrationRequest()

  /// The migrations of the route: their names with the SHA-256 of their files.
  var migrations: [String: String] = [:]

  /// What the run did, step by step; `nil` unless it was an apply.
  var plan: PlanRecord?

  /// The ledger's counts for each property.
  var ledger: [LedgerEntry] = []

  /// The counts of outbox rows by outcome; `nil` unless the run wrote deliverable rows.
  var delivery: DeliveryCounts?

  /// What the new store's file began as; `nil` unless it was an apply.
  var fileOrigin: MigrationRequest.FileOrigin?
}

extension Receipt.Details {
  /// The details of a run that had no plan and asked for no migration.
  package static var withoutPlan: Receipt.Details { RunDetails().members }
}

extension RunDetails {
  /// The details in the form of a receipt.
  var members: Receipt.Details {
    Receipt.Details(
      plan: [
        .init("request", request.json),
        .init(
          "migrations",
          .object(migrations.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })),
        .init("plan", plan?.json ?? .null),
      ],
      outcome: [
        .init("ledger", .array(ledger.map(\.json))), .init("delivery", delivery?.json ?? .null),
        .init("file", JSONValue(fileOrigin?.rawValue)),
      ])
  }

  /// Reads the details of a snapshot's receipt.
  ///
  /// - Throws: ``ExchangeError/badSnapshot(_:reason:)`` if they are malformed.
  init(of receipt: Receipt, snapshot: String) throws(ExchangeError) {
    do {
      try self.init(receipt.details)
    } catch {
      throw .badSnapshot(snapshot, reason: "its receipt can't be read: \(error)")
    }
  }

  init(_ details: Receipt.Details) throws(JSONError) {
    let object = try JSONNode(parsing: JSONValue.object(details.plan + details.outcome).text())
      .object(Self.form)
    request = try MigrationRequest(parsing: object.required("request"))
    migrations = try object.required("migrations").stringsByKey
    let planNode = try object.required("plan")
    plan = planNode.isNull ? nil : try PlanRecord(parsing: planNode)
    ledger = try object.required("ledger").array.map { node throws(JSONError) in
      try LedgerEntry(parsing: node)
    }
    let counts = try object.required("delivery")
    delivery = counts.isNull ? nil : try DeliveryCounts(parsing: counts)
    // Receipts of earlier versions lack it.
    if let origin = object.optional("file"), !origin.isNull {
      fileOrigin = try origin.name(as: MigrationRequest.FileOrigin.self)
    }
  }
}

extension RunDetails.PlanRecord {
  fileprivate var json: JSONValue {
    [
      "steps": JSONValue(steps) { $0.json },
      "conversions": JSONValue(conversions) { $0.json }, "losses": JSONValue(losses) { $0.json },
    ]
  }

  fileprivate init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.form)
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
  /// The request in the JSON of a receipt.
  var json: JSONValue {
    .object(
      [
        .init("to", JSONValue(target)), .init("user_id", JSONValue(userID)),
        .init("rows", .string(rows.rawValue)),
        .init("accepted_losses", .array(acceptedLosses.map { .string($0) })),
      ] + (mirroring.map { [.init("cloudkit", .string($0.rawValue))] } ?? []))
  }

  init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.form)
    let (target, user) = (try object.required("to"), try object.required("user_id"))
    self.init(
      target: target.isNull ? nil : try target.string,
      userID: user.isNull ? nil : try user.string,
      rows: try object.required("rows").name(as: Rows.self),
      acceptedLosses: try object.required("accepted_losses").strings,
      mirroring: try object.optional("cloudkit")?.name(as: Mirroring.self))
  }
}

extension LedgerEntry {
  /// The entry in the JSON of receipts and reports.
  package var json: JSONValue {
    [
      "entity": .string(entity), "property": .string(property), "rows": .int(rows),
      "identical": .int(identical), "converted": .int(converted), "rounded": .int(rounded),
      "clamped": .int(clamped), "computed": .int(computed), "normalised": .int(normalised),
      "whitespace_bytes": .int(whitespaceBytes), "set_aside": .int(setAside),
      "set_aside_empty": .int(setAsideEmpty),
    ]
  }

  init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.form)
    self.init(
      entity: try object.required("entity").string, property: try object.required("property").string
    )
    rows = try object.required("rows").integer
    identical = try object.required("identical").integer
    converted = try object.required("converted").integer
    // Receipts of earlier versions lack these counts.
    rounded = try object.optional("rounded")?.integer ?? 0
    clamped = try object.optional("clamped")?.integer ?? 0
    computed = try object.optional("computed")?.integer ?? 0
    normalised = try object.required("normalised").integer
    whitespaceBytes = try object.required("whitespace_bytes").integer
    setAside = try object.required("set_aside").integer
    setAsideEmpty = try object.optional("set_aside_empty")?.integer ?? 0
  }
}

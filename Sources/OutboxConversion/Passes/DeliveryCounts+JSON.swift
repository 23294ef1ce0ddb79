package import JSONText

extension DeliveryCounts {
  /// The counts as plans, receipts and reports write them.
  package var json: JSONValue {
    [
      "rows": .int(rows), "delivered": .int(delivered), "completed": .int(completed),
      "kept": .int(kept), "mended": .int(mended), "resumed": .int(resumed),
      "quarantined": .object(
        QuarantineReason.allCases.compactMap { reason in
          quarantined[reason].map { .init(reason.rawValue, .int($0)) }
        }),
      "secrets": .int(secrets), "cancelled": .int(cancelled), "folded": .int(folded),
    ]
  }

  package init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(allowing: [
      "rows", "delivered", "completed", "kept", "mended", "resumed", "quarantined", "secrets",
      "cancelled", "folded",
    ])
    self.init()
    rows = try object.required("rows").count
    delivered = try object.required("delivered").count
    completed = try object.required("completed").count
    kept = try object.required("kept").count
    mended = try object.required("mended").count
    resumed = try object.required("resumed").count
    secrets = try object.required("secrets").count
    cancelled = try object.required("cancelled").count
    folded = try object.required("folded").count
    for member in try object.required("quarantined").object.members {
      guard let reason = QuarantineReason(rawValue: member.key) else {
        throw member.node.error(
          .unknownKey(
            member.key,
            nearest: nearestName(
              to: member.key, among: QuarantineReason.allCases.map(\.rawValue))))
      }
      quarantined[reason] = try member.node.count
    }
  }
}

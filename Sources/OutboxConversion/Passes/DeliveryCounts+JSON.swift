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

  /// The form of the counts.
  package static let form = JSONForm(
    "What becomes of the rows of an outbox in deliverable form, in numbers of rows.",
    [
      .required("rows", .count, "The rows of the old outbox."),
      .required("delivered", .count, "The rows of the new outbox."),
      .required("completed", .count, "Those of the new outbox that are history."),
      .required("kept", .count, "Those of the new outbox that the V7 app wrote."),
      .required("mended", .count, "Those that the V7 app wrote and that were corrected."),
      .required("resumed", .count, "Those that were in processing, and are pending now."),
      .required(
        "quarantined",
        .object(
          JSONForm(
            "The rows in quarantine, by reason.",
            QuarantineReason.allCases.map {
              .optional($0.rawValue, .count, "The rows with this reason.")
            })), "The rows in quarantine, by reason."),
      .required("secrets", .count, "Those in quarantine that have a password or a token."),
      .required("cancelled", .count, "The rows that another row cancels."),
      .required("folded", .count, "The rows whose changes another row sends."),
    ])

  package init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.form)
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

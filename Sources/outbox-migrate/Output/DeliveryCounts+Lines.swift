import StoreMigration

extension DeliveryCounts {
  /// A table of what became of the rows.
  func lines(_ style: Style) -> [String] {
    let sent = delivered - completed
    let written =
      "\(sent.grouped) to send · \(completed.grouped) history"
      + (resumed > 0 ? " · \(resumed.grouped) were being processed" : "")
    let reasons = QuarantineReason.allCases.compactMap { reason in
      quarantined[reason].map { "\($0.grouped) \(reason.rawValue)" }
    }
    let rows: [[Cell]] = [
      ["written", Cell(delivered.counted("row")), Cell(written)],
      [
        "in quarantine", Cell(quarantinedRows.counted("row")),
        Cell(reasons.joined(separator: " · ")),
      ],
      ["cancelled", Cell(cancelled.counted("row")), "with a row that takes them back"],
      ["folded", Cell(folded.counted("row")), "into a later one that sends the same"],
    ]
    let counts = [delivered, quarantinedRows, cancelled, folded]
    return Columns(
      rows: zip(rows, counts).filter { $0.1 > 0 }.map(\.0), rightAligned: [1]
    ).lines(style)
  }
}

import StoreMigration
package import Migrations
package import RowRewriting

extension DeliveryCounts {
  /// One of the things that become of rows.
  struct Part {
    let name: String
    let rows: Int64

    /// What there is to say of them.
    let words: String
  }

  /// What became of the rows, without what became of none.
  var parts: [Part] {
    [
      Part(name: "written", rows: delivered, words: writtenWords),
      Part(name: "in quarantine", rows: quarantinedRows, words: reasonWords),
      Part(name: "cancelled", rows: cancelled, words: "with a row that takes them back"),
      Part(name: "folded", rows: folded, words: "into another that sends the same"),
    ].filter { $0.rows > 0 }
  }

  private var writtenWords: String {
    let rest: [(Int64, String)] = [
      (resumed, "were being processed"), (kept, "by the app itself"), (mended, "of them mended"),
    ]
    return
      (["\((delivered - completed).grouped) to send", "\(completed.grouped) history"]
      + rest.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }).joined(separator: " · ")
  }

  private var reasonWords: String {
    QuarantineReason.allCases.compactMap { reason in
      quarantined[reason].map { "\($0.grouped) \(reason.rawValue)" }
    }.joined(separator: " · ")
  }

  /// A table of what became of the rows.
  func lines(_ style: Style) -> [String] {
    Columns(
      rows: parts.map { [Cell($0.name), Cell($0.rows.counted("row")), Cell($0.words)] },
      rightAligned: [1]
    ).lines(style)
  }
}

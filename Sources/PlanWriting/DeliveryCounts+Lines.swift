package import SafeText
import StoreModel
import StoreMigration
package import OutboxConversion

extension DeliveryCounts {
  /// One result, with the number of its rows.
  struct Part {
    let name: String
    let rows: Int64

    /// The details.
    let words: String
  }

  /// The results that at least one row has.
  var parts: [Part] {
    [
      Part(name: "written", rows: delivered, words: writtenWords),
      Part(name: "in quarantine", rows: quarantinedRows, words: reasonWords),
      Part(name: "cancelled", rows: cancelled, words: "together with rows that undo them"),
      Part(name: "folded", rows: folded, words: "into other rows that send the same"),
    ].filter { $0.rows > 0 }
  }

  private var writtenWords: String {
    let rest: [(Int64, String)] = [
      (resumed, "reset from processing"), (kept, "written by the app"),
      (mended, "of them repaired"),
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

  /// Returns a table of the results.
  package func lines(_ style: Style) -> [String] {
    Columns(
      rows: parts.map { [Cell($0.name), Cell($0.rows.counted("row")), Cell($0.words)] },
      rightAligned: [1]
    ).lines(style)
  }
}

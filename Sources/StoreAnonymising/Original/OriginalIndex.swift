import SQLite

/// What an original contains, as far as a result must not contain it.
///
/// The filters say "no" surely. They say "yes" wrongly for less than one number in a hundred in
/// stores of up to 128 MiB, and for one in seven at the limit. Memory: at most five bytes for each
/// byte of the original, and at most 512 MiB.
final class OriginalIndex {
  /// The most bytes that the files of an original may have.
  static let limit: Int64 = 512 << 20

  private var runs: RunFilter
  private var values: RunFilter

  /// The numbers of 0 and 1 in the columns of Boolean attributes.
  private(set) var flags: [String: FlagCounts] = [:]

  /// The first and the last date of the years 1900 to 2100, in seconds since 2001.
  private(set) var dates: ClosedRange<Double>?

  /// How many values of a Boolean attribute are 0, and how many 1.
  struct FlagCounts: Hashable {
    var zeros: Int64 = 0
    var ones: Int64 = 0
  }

  /// The dates that are moved by the distance between the first and the last of them.
  static let ordinaryDates = -3_187_296_000.0...3_155_760_000.0

  /// Reads an original.
  ///
  /// - Complexity: O(*n*) in the number of bytes, in two passes.
  init(_ reader: OriginalReader, _ connection: borrowing Connection, path: String) throws {
    let size = try reader.size()
    guard size <= Self.limit else {
      throw AnonymisingError.tooLarge(path, bytes: size, limit: Self.limit)
    }
    runs = RunFilter(count: size)
    values = RunFilter(count: size / 4)
    try reader.forEachRun { runs.insert($0) }
    try reader.forEachPiece(connection) { piece, column in self.note(piece, column) }
  }

  private func note(_ piece: Piece, _ column: ColumnShape) {
    // A text may continue on another page, so its runs aren't all in the bytes of the file.
    piece.runs.forEachRun { run, _ in runs.insert(run) }
    if let identity = piece.identity { values.insert(identity.stableHash) }
    for word in piece.words { values.insert(word.identity.stableHash) }
    switch piece {
    case .flag(let flag):
      if flag {
        flags[column.place, default: FlagCounts()].ones += 1
      } else {
        flags[column.place, default: FlagCounts()].zeros += 1
      }
    case .date(let date) where Self.ordinaryDates.contains(date):
      dates = dates.map { min($0.lowerBound, date)...max($0.upperBound, date) } ?? date...date
    default: break
    }
  }
}

extension OriginalIndex {
  /// Returns whether the original may have a piece as a whole.
  func mayHave(_ piece: Piece) -> Bool {
    piece.identity.map { values.contains($0.stableHash) } ?? false
  }

  /// Returns whether the original may have a run of eight bytes.
  func mayHave(run: UInt64) -> Bool { runs.contains(run) }

  /// Returns whether the original may have a word.
  func mayHave(_ word: PieceWord) -> Bool { values.contains(word.identity.stableHash) }

  /// Returns the places of the last bytes of runs and words that the original may have.
  func places(in piece: Piece) -> [Int] {
    var places: [Int] = []
    piece.runs.forEachRun { run, place in if runs.contains(run) { places.append(place) } }
    for word in piece.words where mayHave(word) { places.append(word.end) }
    return places
  }
}

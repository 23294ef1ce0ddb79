import Platform
package import SQLite
package import StoreFormat

extension StoreFiles {
  /// Returns the number of bytes that a run writes beside the store.
  ///
  /// They are for the new file, for what the log adds to the main file, and for copies of external
  /// data. The new file is assumed to be a tenth larger than the old one.
  package func neededBytes(_ connection: borrowing Connection) throws -> Int64 {
    let size = try connection.size(of: "main")
    let growth = try max(0, size - FileStatus(of: path).size)
    // A sparse file may have any size, so the sum may overflow.
    return try [size * 11 / 10, growth, externalBytes, 1_048_576].reduce(0) { $0.adding($1) }
  }

  /// The number of files and folders that a run creates at most.
  ///
  /// They are the folder of a snapshot and the one around it; the new store and the three files that
  /// SQLite may keep beside it; header, receipt, and the draft of a file that is replaced; two files
  /// about outbox rows; and the copies of external data and of parked values with their folders.
  var neededFiles: Int64 {
    get throws(SystemError) {
      let external = try openExternalData()?.list().count ?? 0
      return Int64(11 + (external + 1) + (try parkedFiles.count + 1))
    }
  }

  private var externalBytes: Int64 {
    get throws(SystemError) {
      guard let folder = try openExternalData() else { return 0 }
      var sum: Int64 = 0
      for name in try folder.list() { sum = sum.adding(try folder.status(of: name).size) }
      return sum
    }
  }
}

extension Int64 {
  /// Returns the sum, or the largest number if the sum overflows.
  fileprivate func adding(_ other: Int64) -> Int64 {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}

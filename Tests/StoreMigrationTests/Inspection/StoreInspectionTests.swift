import Foundation
import Platform
import SQLite
import StoreFormat
import TestSupport
import Testing

@testable import StoreMigration
import Migrations
import StoreAccess
import RowRewriting
import OutboxConversion

@Suite struct StoreInspectionTests {
  /// Reads a store while a body does something to it, and returns the error.
  private func error(
    reading path: String, _ body: () throws -> Void
  ) throws -> (any Error)? {
    let inspection = try StoreInspection(path: path, catalog: .bundled)
    do {
      try inspection.reading { try body() }
      return nil
    } catch {
      return error
    }
  }

  @Test func `a reading during which the store changes is discarded`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    #expect(try error(reading: path) {} == nil)
    let written = try error(reading: path) {
      // An update in place: the size stays what it was.
      let app = try Connection(path: path, mode: .readWrite)
      try app.execute("PRAGMA journal_mode = DELETE")
      try app.execute("UPDATE ZSDOUTBOXEVENT SET ZRETRYCOUNT = 1 WHERE Z_PK = 1")
    }
    guard case StoreAccessError.inUse? = written else {
      Issue.record("\(String(describing: written))")
      return
    }
    // An error of such a reading isn't blamed on the store.
    let failed = try error(reading: path) {
      try FileSystem.copy(path, to: folder.path("other"))
      try FileSystem.rename(folder.path("other"), to: path)
      throw SQLiteError(code: 11, message: "malformed")
    }
    guard case StoreAccessError.inUse? = failed else {
      Issue.record("\(String(describing: failed))")
      return
    }
  }
}

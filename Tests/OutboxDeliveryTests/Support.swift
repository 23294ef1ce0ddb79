import Foundation
import Platform
import SQLite
import StoreFixtures
import StoreMigration
import StoreModel
import TestSupport
import Testing

@testable import OutboxDelivery
import Migrations
import StoreProof

/// Creates a store of a version, and returns its path.
func makeStore(
  _ app: String, _ version: String, rows: Int, seed: UInt64 = 1, in folder: TemporaryDirectory
) throws -> String {
  let catalog = Catalog.bundled
  let model = try #require(catalog.version(version, of: app)).model
  let path = folder.path("default.store")
  try createFixture(
    app: app.lowercased(), version: version, model: model, at: path,
    options: FixtureOptions(rows: rows, seed: seed, hasLostPayloads: false))
  return path
}

/// Returns the JSON text of a delivery job.
func job(
  _ store: String, _ address: String, tokenFile: String? = nil, atOnce: Int = 3,
  patience: Double = 20, timeout: Double = 5
) -> String {
  var object: [String: Any] = [
    "store": store, "base_url": address, "at_once": atOnce, "patience": patience,
    "timeout": timeout,
  ]
  object["token_file"] = tokenFile
  let data = try? JSONSerialization.data(withJSONObject: object)
  return String(decoding: data ?? Data(), as: UTF8.self)
}

/// Returns the rows of a query, with values as text and UUIDs in uppercase.
func query(_ path: String, _ sql: String) throws -> [[String?]] {
  let connection = try Connection(path: path, mode: .readOnly)
  return try connection.rows(sql).map { row in
    row.map { value in
      switch value {
      case .null: nil
      case .integer(let number): String(number)
      case .real(let number): String(number)
      case .text(let bytes): String(decoding: bytes, as: UTF8.self)
      case .blob(let bytes): bytes.count == 16 ? uuidText(bytes) : nil
      }
    }
  }
}

import Foundation
import Migrations
import StoreMigration

struct JournalStore {
  let store: URL
  let catalog: Catalog

  init(store: URL, migrations: URL) throws {
    self.store = store
    var contents: [String: [UInt8]] = [:]
    for file in try FileManager.default.contentsOfDirectory(
      at: migrations, includingPropertiesForKeys: nil)
    {
      contents[file.lastPathComponent] = Array(try Data(contentsOf: file))
    }
    catalog = try Catalog(migrationFiles: contents)
  }
}

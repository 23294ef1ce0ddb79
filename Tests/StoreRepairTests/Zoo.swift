import Migrations
import SQLite
import StoreMigration
import StoreModel
import StoreRepair
import TestSupport

/// The store of an unknown app, whose model has every kind of relationship.
struct Zoo {
  private let store: ZooStore
  let migrator = StoreMigrator(catalog: .bundled)

  var path: String { store.path }
  var folder: TemporaryDirectory { store.folder }

  init() throws {
    store = try ZooStore()
    try damage()
  }

  /// Runs statements that an app would never run, and folds the log in.
  func damage(_ statements: String...) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA journal_mode = DELETE")
    for statement in statements { try connection.execute(statement) }
  }

  /// The zoo as the version that a repair is told.
  static let version = ModelVersion(
    SchemaFile(app: "zoo", version: "1", model: ZooStore.model))

  func options(filling fills: [RepairOptions.Fill] = []) -> RepairOptions {
    RepairOptions(versions: [Self.version], fills: fills)
  }
}

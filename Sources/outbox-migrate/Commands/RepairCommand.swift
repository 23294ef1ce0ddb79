import CommandLineKit
import InputFiles
import Migrations
import StoreMigration
import StoreModel
import StoreRepair
import TerminalOutput

/// `repair`: mends what `diagnose` finds inside a store.
struct RepairCommand: Command, Reporting {
  static let name = "repair"
  static let abstract = "Mend a store whose metadata, tables or rows contradict each other."
  static let discussion = """
    Finds the version whose tables the store has, and makes what is missing as that version has it: \
    metadata, model cache, entities, tables, columns, indexes. Corrects keys and entity numbers. \
    Removes links to missing rows where the relationship is optional, and rows of join tables \
    without ends. What can't be mended is reported and left.

      outbox-migrate repair default.store --dry-run
      outbox-migrate repair default.store --app-version Lume:V7
      outbox-migrate repair default.store --fill SDMoodEntry.sourceType=user_entry

    The work is done in a copy, which is compared with the store row by row before it takes the \
    store's place. A snapshot is taken first; 'rollback' restores it. Tables that have what Core Data's don't \
    have, such as default values or constraints, aren't written: the command names them and ends.

    Exits with 1 if something is left that isn't in order.
    """

  static let versions = Option<[String]>(
    "--app-version", valueName: "model",
    help:
      "A version that the store may be at: a schema file, a model, a folder of Swift source, a store, or APP:VERSION.",
    completion: .file)
  static let fills = Option<[FilledAttribute]>(
    "--fill", valueName: "entity.attribute=value",
    help: "The value for rows without one in a mandatory attribute.")
  static var parameters: [any Parameter] {
    [
      OutboxOptions.store, versions, fills, OutboxOptions.dryRun, GlobalOptions.model,
      GlobalOptions.progress,
    ]
  }

  let globals: GlobalOptions
  let store: String
  let versions: [String]
  let fills: [RepairOptions.Fill]
  let isDryRun: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true, takingModel: true)
    store = input[OutboxOptions.store].path
    versions = input[Self.versions]
    fills = input[Self.fills].map(\.fill)
    isDryRun = input[OutboxOptions.dryRun]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let catalog = try Catalog(globals)
    var options = RepairOptions(fills: fills)
    for word in versions { options.versions.append(try catalog.appVersion(word)) }
    let known = options
    let migrator = StoreMigrator(catalog: catalog)
    let globals = globals.naming(catalog, known.versions, stores: [store])
    return try StoreWork(
      globals, .edit,
      orFailing: { path throws(Failure) in
        do {
          return RepairedStore(
            report: try migrator.repair(path, known, dryRun: isDryRun), isDryRun: isDryRun)
        } catch {
          throw Failure(repairing: error)
        }
      }
    )
    .run(on: [store], in: terminal)
  }
}

/// A value of `--fill`.
struct FilledAttribute: ArgumentValue, Hashable {
  let fill: RepairOptions.Fill

  init(argument: String) throws(ArgumentValueError) {
    guard let fill = RepairOptions.Fill(argument) else {
      throw .malformed(expected: "an attribute and a value, such as 'Entity.attribute=value'")
    }
    self.fill = fill
  }

  var argumentText: String { "\(fill.attribute)=\(fill.text)" }
}

extension Failure {
  /// Creates the failure for an error of a repair.
  fileprivate init(repairing error: any Error) {
    switch error {
    case let error as RepairError:
      switch error {
      case .noVersion, .severalVersions, .otherVersion, .unknownHashes:
        self.init(.unknownStore, error.description)
      case .valuesNeeded, .nameTaken, .foreignForm, .unsavable, .noKeys:
        self.init(.refused, error.description)
      case .doubledAttribute, .takenValue, .noAttribute, .uniqueAttribute, .badValue:
        self.init(.misuse, error.description)
      }
    case let error as MigrationError: self.init(error)
    default: self.init(any: error)
    }
  }
}

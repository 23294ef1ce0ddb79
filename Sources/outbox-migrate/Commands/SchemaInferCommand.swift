import CommandLineKit
import InputFiles
import Migrations
import Platform
import MigrationAuthoring
import Processes
import StoreMigration
import StoreModel
import TerminalOutput

/// `schema infer`: writes a migration file to start from.
struct SchemaInferCommand: Command, Reporting {
  static let name = "infer"
  static let abstract = "Write a migration file to start from, inferred from two models."
  static let discussion = """
    Equal names are kept, renaming identifiers are followed, and new attributes get their \
    defaults. If the two models alone don't determine the migration, the file contains a step for \
    you to decide. Until you do, the tool refuses the file and reports the step's position. The \
    report has an example of a step for each decision, and lists what the file drops. Give the \
    versions as for 'schema diff'. From a store, the tool counts the rows that each decision \
    concerns, the values that 'retype' reads in a new type, and the rows that break a new \
    uniqueness. It names the store's version as its schema file does, if the new file's folder has \
    one. A dropped and an added property with similar names, or with like values in two stores, \
    are offered as a rename.

      outbox-migrate schema infer default.store v8.schema.json --out V7-V8.json
    """

  static let old = Argument<String>(
    "old", help: "The older version.", completion: CompletionWords.appVersions.completionOrFile)
  static let new = Argument<String>(
    "new", help: "The newer version.", completion: CompletionWords.appVersions.completionOrFile)
  static let out = SchemaCaptureCommand.out
  static let showValues = Flag(
    "--show-values",
    help: "Show the distinct values that a 'map' step names; they are real data from the rows.")
  static var parameters: [any Parameter] {
    [old, new, out, showValues, GlobalOptions.model]
  }

  let globals: GlobalOptions
  let old: String
  let new: String
  let out: String?
  let showValues: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingModel: true)
    old = input[Self.old]
    new = input[Self.new]
    out = input[Self.out].flatMap { $0 == "-" ? nil : $0 }
    showValues = input[Self.showValues]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    StopSignal.pauseNoting()
    let catalog = try Catalog(globals)
    var target = try version(new, catalog)
    target.rename(
      if: catalog.hasOther(named: target) || MigrationFolder(path: folder).hasOther(named: target))
    let source = try version(old, catalog).named(beside: target, in: catalog)
    target.rename(if: target.name == source.name && target.hashes != source.hashes)
    guard
      target.app.isSameApp(as: source.app) || target.origin != nil || source.origin != nil
    else {
      throw Failure(
        .misuse,
        "'\(old)' is of the app '\(source.app)' and '\(new)' of '\(target.app)'; capture both with the "
          + "same '--app'")
    }
    let globals = globals.naming(
      catalog, [source, target], stores: [old, new].compactMap(catalog.storePath))
    // With a store in place of a version, the rows are read, too.
    StopSignal.noteAgain()
    let draft: DraftedMigration
    do {
      draft = try StoreMigrator(catalog: catalog).draft(
        from: source, at: catalog.storePath(old), to: target, at: catalog.storePath(new),
        showsValues: showValues)
    } catch {
      throw Failure(error)
    }
    let report = InferredFile(
      draft: draft, path: out,
      old: .init(word: old, version: source, folder: folder, catalog),
      new: .init(word: new, version: target, folder: folder, catalog), folder: folder)
    guard let out else {
      terminal.note(globals.models)
      for note in report.notes { terminal.printError("Note: \(note)\n") }
      return try terminal.write(draft.text, to: nil)
    }
    _ = try terminal.write(draft.text, to: out)
    return try terminal.print(report, globals)
  }

  /// The folder of the new file, where '--migrations' will look for schema files.
  private var folder: String { FileSystem.parent(of: out ?? new) }

  /// Returns a version; that of a store has the name that a schema file in the folder gives it.
  private func version(_ word: String, _ catalog: Catalog) throws -> ModelVersion {
    let version = try catalog.version(word)
    guard catalog.storePath(word) != nil, !catalog.knows(version) else { return version }
    return MigrationFolder(path: folder).version(like: version) ?? version
  }
}

extension ModelVersion {
  /// Returns the version of a store that has no name yet, named as `plan` names it.
  fileprivate func named(beside target: ModelVersion, in catalog: Catalog) -> ModelVersion {
    guard origin?.isStore == true, !catalog.knows(self) else { return self }
    return ModelVersion(unknown: model, migratingTo: SchemaFile(target))
  }

  /// Gives a model that isn't a schema file another name, if that of its version is taken.
  ///
  /// Two models with one file name would be one version.
  fileprivate mutating func rename(if isTaken: Bool) {
    guard origin != nil, isTaken else { return }
    self = ModelVersion(SchemaFile(self).renamed(name + "-target"))
  }
}

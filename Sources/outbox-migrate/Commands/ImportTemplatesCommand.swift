import CommandLineKit
import Platform
import SQLite
import StoreMigration
import TemplateImport
import Migrations

/// `import templates`: workout templates from an app's preferences, into a store.
struct ImportTemplatesCommand: Command, Reporting {
  static let name = "templates"
  static let abstract =
    "Move FitIQ's workout templates from the app's preferences into a V11 store."
  static let discussion = """
    Before V11 the app kept its templates as JSON in its preferences. They become rows of \
    'SDWorkoutTemplate' and 'SDTemplateExercise' that belong to the user they name, else to the \
    only one that the store has. A template whose id is in the store is left as it is.

    The preferences aren't changed. The store is written as 'apply' writes it: snapshot, copy, \
    proof, exchange; 'rollback' takes the import back.

    Exits with 1 if a template couldn't be read; the others are imported all the same.
    """

  static let preferences = Argument<String>(
    "plist", help: "The app's preferences, a property list in binary form or in XML.",
    completion: .file)
  static let store = Argument<String>(
    "store", help: "The main file of the store.", completion: .file)
  static let key = Option<String?>(
    "--key", valueName: "key",
    help: "The key of the templates; else '\(Preferences.templatesKey)'.")
  static let update = Flag(
    "--update", help: "Give templates that the store has already what the preferences say.")
  static let keepInNotes = Flag(
    "--keep-in-notes",
    help: "Append to an exercise's notes what V11 has no column for: details, RIR, tempo.")
  static let withEvents = Flag(
    "--with-events",
    help: "Add an outbox event for each of the user's own, so that the app sends it.")
  static let user = Option<String?>(
    "--user-id", valueName: "id",
    help: "Whose the templates are that name no user of the store: an id, or a profile's row.")
  static let dryRun = Flag("--dry-run", help: "Say what it would do, and change nothing.")
  static var parameters: [any Parameter] {
    [preferences, store, key, update, keepInNotes, withEvents, user, dryRun]
  }

  let globals: GlobalOptions
  let preferences: String
  let store: String
  let templates: TemplateImport
  let dryRun: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    preferences = input[Self.preferences]
    store = input[Self.store]
    var templates = TemplateImport()
    templates.key = input[Self.key] ?? Preferences.templatesKey
    templates.updates = input[Self.update]
    templates.keepsInNotes = input[Self.keepInNotes]
    templates.addsEvents = input[Self.withEvents]
    templates.userID = input[Self.user]
    self.templates = templates
    dryRun = input[Self.dryRun]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    let list = try readPreferences()
    return try StoreWork(globals) { path throws(Failure) in
      ImportedTemplates(
        preferences: preferences, options: templates, isDryRun: dryRun,
        outcome: try importTemplates(list, into: path, migrator))
    }
    .run(on: [store], in: terminal)
  }

  private func readPreferences() throws(Failure) -> Preferences {
    do {
      return try Preferences(
        FileSystem.read(preferences, limit: Preferences.maximumByteCount))
    } catch let error as SystemError {
      throw Failure(error.isNotFound ? .noStore : .ioError, "\(error); give the app's preferences")
    } catch let error as TemplateImportError {
      throw Failure(error, preferences: preferences, store: store)
    } catch {
      throw Failure(any: error)
    }
  }

  private func importTemplates(
    _ list: Preferences, into path: String, _ migrator: StoreMigrator
  ) throws(Failure) -> (report: EditReport, result: TemplateImportReport) {
    let now = WallClock.now().secondsSince2001
    let changes = { (connection: borrowing Connection) in
      try templates.run(list, on: connection, now: now)
    }
    do {
      return try dryRun
        ? migrator.tryEdit(path, changes)
        : migrator.edit(path, as: "import templates", changes)
    } catch let error as TemplateImportError {
      throw Failure(error, preferences: preferences, store: path)
    } catch let error as MigrationError {
      throw Failure(error)
    } catch {
      throw Failure(any: error)
    }
  }
}

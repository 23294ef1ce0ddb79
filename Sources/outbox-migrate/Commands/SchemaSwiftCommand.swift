import CommandLineKit
import InputFiles
import Migrations
import Platform
import Processes
import SafeText
import StoreMigration
import StoreModel
import SwiftWriting
import TerminalOutput

/// `schema swift`: writes versions of an app's model as SwiftData declares them.
struct SchemaSwiftCommand: Command, Reporting {
  static let name = "swift"
  static let abstract = "Write a version as a VersionedSchema in Swift."
  static let discussion = """
    Give a version as for 'schema diff'. The classes have the same version hashes as the model, so \
    that an app can open a store of that version with them, and migrate it. Use it if the frozen \
    classes of a shipped version are lost, or no longer match its stores. The Swift code wasn't \
    compiled or run on Apple's systems: the file says so.

    With '--plan', give two or more versions, oldest first. The file then also has the \
    SchemaMigrationPlan. A stage is lightweight if Core Data can migrate the rows, or else custom \
    with the conversions of the migration file between the two versions.

      outbox-migrate schema swift default.store --name AppSchemaV7 --out AppSchemaV7.swift
      outbox-migrate schema swift lume/V6 lume/V7 --plan --out LumeMigrationPlan.swift
    """

  static let schemas = Argument<[String]>(
    "schema", help: "A version, a schema file or a store.",
    completion: CompletionWords.appVersions.completionOrFile)
  static let plan = Flag("--plan", help: "Write the versions and the migration plan between them.")
  static let names = Option<[String]>(
    "--name", valueName: "type",
    help: "The name of a version's type, such as AppSchemaV7; once for each version.")
  static let out = SchemaCaptureCommand.out
  static var parameters: [any Parameter] { [schemas, plan, names, out] }

  let globals: GlobalOptions
  let schemas: [String]
  let plan: Bool
  let names: [String]
  let out: String?

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    schemas = input[Self.schemas]
    plan = input[Self.plan]
    names = input[Self.names]
    out = input[Self.out].flatMap { $0 == "-" ? nil : $0 }
  }

  func run(in terminal: Terminal) throws -> Int32 {
    StopSignal.pauseNoting()
    try checkWords()
    let catalog = try Catalog(folder: globals.migrations)
    let versions = try schemas.map(catalog.version)
    try refuseLimits(of: versions)
    let texts = try schemaTexts(of: versions)
    let origins = zip(schemas, versions).map { word, version in
      "\(version.app) \(version.name) ('\(word)')".printable
    }
    let source =
      versions.count == 1
      ? SourceText(texts[0], origin: origins[0])
      : SourceText(texts, origins: origins, migrations: try migrations(between: versions, catalog))
    let globals = globals.naming(versions)
    let status = try terminal.write(source.text, to: out)
    guard let out else {
      terminal.note(globals.models)
      return status
    }
    return try terminal.print(WrittenSwift(source: source, path: out), globals)
  }

  private func checkWords() throws(UsageError) {
    if schemas.count > 1 && !plan {
      throw .refused("'\(schemas[1])' is a second version; add '--plan' to write several")
    }
    if schemas.count == 1 && plan {
      throw .refused("'--plan' needs two or more versions; give the newer one, too")
    }
    guard names.isEmpty || names.count == schemas.count else {
      throw .refused("'--name' is given \(names.count) times; give it once for each version")
    }
    if let name = names.first(where: { !SchemaText.isName($0) }) {
      throw .refused("'\(name)' can't be the name of a Swift type; give another '--name'")
    }
  }

  private func schemaTexts(of versions: [ModelVersion]) throws -> [SchemaText] {
    var texts: [SchemaText] = []
    for (index, version) in versions.enumerated() {
      let name =
        names.isEmpty
        ? SchemaText.name(ofApp: version.app, version: version.name) : names[index]
      guard !texts.contains(where: { $0.name == name }) else {
        throw UsageError.refused("two versions have the name '\(name)'; give each a '--name'")
      }
      texts.append(SchemaText(name: name, model: version.model))
    }
    return texts
  }

  /// Returns the migration from each version to the next: a file's, or else the inferred one.
  private func migrations(
    between versions: [ModelVersion], _ catalog: Catalog
  ) throws(UsageError) -> [StageMigration] {
    var migrations: [StageMigration] = []
    for (old, new) in zip(versions, versions.dropFirst()) {
      guard old.hashes != new.hashes else {
        throw .refused(
          "'\(old.name)' and '\(new.name)' have the same hashes; a plan needs different versions")
      }
      let files = old.app.isSameApp(as: new.app) ? catalog.path(from: old, to: new) ?? [] : []
      guard files.count <= 1 else {
        let between = files.dropLast().map { "\(old.app)/\($0.to)" }.joined(separator: " ")
        throw .refused(
          "migration files lead from '\(old.name)' to '\(new.name)' over other versions; give "
            + "these, too: \(between)")
      }
      if let file = files.first {
        migrations.append(StageMigration(steps: file.steps))
      } else {
        let inferred = InferredMigration(from: old, to: new)
        migrations.append(
          StageMigration(steps: inferred.migration.steps, questions: inferred.openQuestions))
      }
    }
    return migrations
  }

  /// Throws an error that names everything that SwiftData can't declare.
  private func refuseLimits(of versions: [ModelVersion]) throws(Failure) {
    let limits = versions.flatMap { version in
      version.model.swiftDataLimits.map {
        (versions.count > 1 ? "\(version.name): " : "") + $0.description
      }
    }
    guard !limits.isEmpty else { return }
    throw Failure(
      .failed,
      "SwiftData can't declare this model: \(limits.joined(separator: "; ")); change the model, or "
        + "keep using Core Data")
  }
}

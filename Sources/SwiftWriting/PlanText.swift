import StoreModel

/// Writes the `SchemaMigrationPlan` of several versions.
struct PlanText {
  /// The versions in the order of the plan, with those between that stages need.
  let schemas: [SchemaText]

  /// The draft of each stage; `nil` for one that only removes what a bridge kept.
  private let drafts: [StageDraft?]

  /// Makes the stages between versions, each of which has a migration to the next.
  init(_ versions: [SchemaText], _ migrations: [StageMigration]) {
    var schemas = Array(versions.prefix(1))
    var drafts: [StageDraft?] = []
    for (version, migration) in zip(versions.dropFirst(), migrations) {
      guard let last = schemas.last else { break }
      let draft = StageDraft(
        from: last.model, to: version.model, steps: migration.steps,
        questions: migration.questions)
      drafts.append(draft)
      if let bridge = draft.bridge {
        schemas.append(
          SchemaText(
            name: version.name + "Bridge", model: bridge,
            number: Self.number(after: last.number ?? [1, 0, 0])))
        drafts.append(nil)
      }
      schemas.append(SchemaText(name: version.name, model: draft.finalTarget))
    }
    self.schemas = schemas
    self.drafts = drafts
  }

  /// A version number that no released version has.
  private static func number(after number: [Int]) -> [Int] {
    [number[0], number[1], number[2] + 1000]
  }

  /// The name of the plan, made from that of the newest version.
  var name: String {
    let last = schemas.last?.name ?? ""
    let prefix = last.firstRange(of: "Schema").map { String(last[..<$0.lowerBound]) } ?? last
    return prefix + "MigrationPlan"
  }

  /// The lines of the enum.
  var lines: [String] {
    let stages = zip(schemas, schemas.dropFirst()).enumerated().map { index, pair in
      stage(from: pair.0.name, to: pair.1.name, drafts[index])
    }
    let names = schemas.dropFirst().map { "to\($0.name)" }
    let functions = ConversionFunction.ordered(
      drafts.reduce(into: []) { $0.formUnion($1?.functions ?? []) })
    let availability = schemas.map(\.availability).max { $0.joined() < $1.joined() } ?? []
    return availability + ["enum \(name): SchemaMigrationPlan {"]
      + list("static var schemas: [any VersionedSchema.Type]", schemas.map { "\($0.name).self" })
      + [""] + list("static var stages: [MigrationStage]", names)
      + stages.flatMap { [""] + $0.map { $0.indented() } }
      + functions.flatMap { [""] + $0.lines.map { $0.indented() } } + ["}"]
  }

  private func list(_ head: String, _ elements: [String]) -> [String] {
    ["  \(head) {", "    ["] + elements.map { "      \($0)," } + ["    ]", "  }"]
  }

  private func stage(from old: String, to new: String, _ draft: StageDraft?) -> [String] {
    let head = "static var to\(new): MigrationStage {"
    guard let draft, !(draft.statements.isEmpty && draft.sentences.isEmpty) else {
      return [head, "  .lightweight(fromVersion: \(old).self, toVersion: \(new).self)", "}"]
    }
    let loops = draft.statements.sorted { $0.key < $1.key }.flatMap { entity, statements in
      let type = "\(new).\(SwiftIdentifier.spelled(entity))"
      return ["for row in try context.fetch(FetchDescriptor<\(type)>()) {"]
        + statements.map { $0.indented() } + ["}"]
    }
    let notes = draft.sentences + (draft.sentences.isEmpty ? [] : [draft.advice])
    let body =
      notes.flatMap { $0.commentLines(prefix: "// ") } + loops
      + (loops.isEmpty ? [] : ["try context.save()"])
    return [
      head, "  .custom(", "    fromVersion: \(old).self, toVersion: \(new).self, willMigrate: nil,",
      "    didMigrate: { \(loops.isEmpty ? "_" : "context") in",
    ] + body.map { $0.indented(3) } + ["    })", "}"]
  }

  /// Whether a stage leaves something to the reader.
  var isIncomplete: Bool { drafts.contains { $0?.sentences.isEmpty == false } }
}

extension StageDraft {
  fileprivate var advice: String {
    hasQuestions
      ? "'outbox-migrate schema infer' writes a migration file in which you decide."
      : "'outbox-migrate apply' does all of this to a store file, outside the app."
  }
}

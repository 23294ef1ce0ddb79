import JSONText
import Platform
import PropertyList
import SQLite
import StoreFormat
import StoreMigration
import Testing
import TestSupport

@testable import TemplateImport
import Migrations

/// Imports random templates, and compares the rows with the preferences.
@Suite struct ImportTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func `the rows, exported, are the templates, field by field`(seed: UInt64) throws {
    let store = try TemplateStore(profiles: 1)
    var random = RandomTemplates(seed: seed, user: store.users[0])
    let templates = (0..<12).map { _ in random.template() }
    let preferences = try Preferences(random.propertyList(templates).binary())
    let report = try store.run(TemplateImport(), preferences)
    #expect(report.items.map(\.fate) == templates.map { _ in .imported }, "seed \(seed)")
    let exported = try ExportedTemplates(store)
    for template in templates {
      let row = try #require(exported.templates[template.id])
      #expect(row == expected(template), "seed \(seed)")
      let link: Int64? = template.isSystem ? nil : store.profileKeys[0]
      #expect(exported.profiles[template.id] == .some(link), "seed \(seed)")
    }
    #expect(exported.templates.count == templates.count)
    #expect(exported.timesUsed == Set([0]))
    #expect(try store.failures() == [])
  }

  @Test(arguments: [7, 8, 9] as [UInt64])
  func `an update gives the store's rows what the preferences say, and leaves the rest`(
    seed: UInt64
  ) throws {
    let store = try TemplateStore(profiles: 1)
    var random = RandomTemplates(seed: seed, user: store.users[0])
    let first = (0..<8).map { _ in random.template() }
    _ = try store.run(TemplateImport(), try Preferences(random.propertyList(first).binary()))
    try store.change("UPDATE ZSDWORKOUTTEMPLATE SET ZTIMESUSED = 7")
    let second = first.map { random.changed($0) } + [random.template()]
    let preferences = try Preferences(random.propertyList(second).binary())

    let skipped = try store.run(TemplateImport(), preferences)
    #expect(skipped.items.map(\.fate) == first.map { _ in .skipped } + [.imported])
    let kept = try ExportedTemplates(store)
    for template in first { #expect(kept.templates[template.id] == expected(template)) }

    var update = TemplateImport()
    update.updates = true
    let report = try store.run(update, preferences)
    #expect(report.items.map(\.fate) == second.map { _ in .updated }, "seed \(seed)")
    let exported = try ExportedTemplates(store)
    for (index, template) in second.enumerated() {
      var row = expected(template)
      // Values that the preferences don't contain are unchanged.
      let before = index < first.count ? first[index] : template
      row.backendID = template.backendID ?? before.backendID
      row.syncStatus = template.syncStatus ?? before.syncStatus ?? "pending"
      #expect(
        exported.templates[template.id]?.withoutExerciseIDs == row.withoutExerciseIDs,
        "seed \(seed)")
    }
    #expect(exported.timesUsed == Set([0, 7]))
    #expect(try store.failures() == [])
  }

  @Test func `what has no column goes to the notes only when asked`() throws {
    let store = try TemplateStore(profiles: 1)
    let preferences = try Preferences(fixture("before-V11"))
    var keep = TemplateImport()
    keep.keepsInNotes = true
    let report = try store.run(keep, preferences)
    #expect(
      report.rest == [
        .init(template: 0, exercise: 0, names: ["techniqueDetails", "rir", "tempo"])
      ])
    let notes = try store.values("SELECT ZNOTES FROM ZSDTEMPLATEEXERCISE ORDER BY ZORDERINDEX")
    #expect(
      notes == [.text("drops: 2\nreduction: 20 %\nRIR: 2\nTempo: 3-1-1"), .text("Slow.\nBreathe.")])
  }

  @Test func `each of the user's own templates without id on the server gets one event`() throws {
    let store = try TemplateStore(profiles: 1)
    var options = TemplateImport()
    options.addsEvents = true
    #expect(try store.run(options, Preferences(fixture("before-V11"))).events == 1)
    let row = try store.rows(
      """
      SELECT ZEVENTTYPE, hex(ZENTITYID), ZUSERID, ZSTATUS, ZATTEMPTCOUNT, ZMAXATTEMPTS, ZPRIORITY, ZISNEWRECORD,
      ZMETADATA, length(ZID) FROM ZSDOUTBOXEVENT WHERE ZEVENTTYPE = 'workoutTemplate'
      """)
    #expect(
      row == [
        [
          "workoutTemplate", "A0000001111141118111000000000000", .text(store.users[0]),
          "pending",
          0, 5, 5, 1,
          #"{"type":"generic","data":{"name":"Push day","category":"strength","exerciseCount":"2"}}"#,
          16,
        ]
      ])
    options.updates = true
    #expect(try store.run(options, Preferences(fixture("before-V11"))).events == 0)
    let other = try TemplateStore(profiles: 1)
    #expect(try other.run(options, Preferences(fixture("V11"))).events == 0)
  }

  @Test
  func `templates belong to the user they name, else to the only one, else to the one asked for`()
    throws
  {
    let preferences = try Preferences(fixture("edge-cases"))
    let several = try TemplateStore(profiles: 3)
    let refusal = #expect(throws: TemplateImportError.self) {
      try several.run(TemplateImport(), preferences)
    }
    #expect(refusal == .profileNeeded(templates: 4, candidates: several.names))
    for user in [several.names[1], several.users[1].lowercased()] {
      let store = try TemplateStore(profiles: 3)
      var options = TemplateImport()
      options.userID = user
      #expect(try store.run(options, preferences).count { $0 == .imported } == 2)
      #expect(try Set(ExportedTemplates(store).profiles.values) == [store.profileKeys[1]])
    }
    var unknown = TemplateImport()
    unknown.userID = "SDUserProfileV11/99"
    #expect(throws: TemplateImportError.noProfile("SDUserProfileV11/99")) {
      try several.run(unknown, preferences)
    }
    let none = try TemplateStore(profiles: 0)
    #expect(throws: TemplateImportError.profileNeeded(templates: 4, candidates: [])) {
      try none.run(TemplateImport(), preferences)
    }
  }

  @Test func `what can't be read is named, and the others are imported`() throws {
    let store = try TemplateStore(profiles: 1)
    let report = try store.run(TemplateImport(), Preferences(fixture("edge-cases")))
    let reasons = report.items.map { item in
      if case .unreadable(let reason) = item.fate { reason } else { "" }
    }
    #expect(
      reasons == [
        "", "id is not a UUID", "id is missing", "is a string, not an object",
        "is null, not an object",
        "status is not one of draft, published, archived",
        "exercises[1].sets is not a whole number",
        "has the same id as an earlier template", "", "createdAt is not an ISO 8601 date",
        "exercises[1] has the same id as an earlier exercise",
        "exercises[0] has the id of another template's exercise",
      ])
    #expect(report.correctedCounts == 1)
    #expect(report.reclaimedExercises == 1)
    #expect(report.adopted == 1)
  }

  @Test func `every generation and form of preferences gives the same rows`() throws {
    var exports: [[ImportedTemplate]] = []
    for name in ["before-V11", "iso-dates", "V11"] {
      let store = try TemplateStore(profiles: 1)
      let report = try store.run(TemplateImport(), Preferences(fixture(name)))
      #expect(report.items.map(\.fate) == [.imported, .imported])
      #expect(
        report.unknownKeys == (name == "iso-dates" ? ["color": 2, "exercises.superset": 2] : [:]))
      exports.append(
        try ExportedTemplates(store).templates.values.sorted { $0.name < $1.name }.map {
          $0.withoutGeneration
        })
    }
    #expect(exports[0] == exports[2])
    #expect(exports[0].map(\.name) == exports[1].map(\.name))
    let push = try #require(exports[1].first)
    #expect(push.createdAt == 699_971_200)
    #expect(push.updatedAt == 700_057_600.5)
    #expect(push.exercises.map(\.createdAt) == [699_971_200.25, 699_971_200.25])
  }

  /// Returns the expected rows of a template.
  private func expected(_ template: ImportedTemplate) -> ImportedTemplate {
    var row = template
    row.userID = nil
    row.exerciseCount = Int64(template.exercises.count)
    row.syncStatus = template.syncStatus ?? "pending"
    row.exercises = template.exercises.map { exercise in
      var row = exercise
      row.templateID = template.id
      row.techniqueDetails = []
      row.rir = nil
      row.tempo = nil
      return row
    }.sorted { $0.id.lexicographicallyPrecedes($1.id) }
    return row
  }
}

extension ImportedTemplate {
  /// Returns the template without server IDs, which an update keeps if the preferences have none.
  fileprivate var withoutExerciseIDs: ImportedTemplate {
    var copy = self
    copy.exercises = exercises.map {
      var exercise = $0
      exercise.backendID = nil
      return exercise
    }
    return copy
  }

  /// Returns the template without the fields that only some formats have.
  fileprivate var withoutGeneration: ImportedTemplate {
    var copy = withoutExerciseIDs
    copy.backendID = nil
    copy.syncStatus = nil
    copy.exercises = copy.exercises.map {
      var exercise = $0
      if exercise.restSeconds != nil { exercise.restSeconds = 0 }
      return exercise
    }
    return copy
  }
}

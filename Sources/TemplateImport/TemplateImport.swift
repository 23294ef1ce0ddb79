package import SQLite
import StoreFormat

/// Imports workout templates from FitIQ's preferences into a V11 store.
///
/// The mapping follows "Workout Template SwiftData Migration". The preferences aren't changed.
package struct TemplateImport: Hashable, Sendable {
  /// The key of the templates in the preferences.
  package var key = Preferences.templatesKey

  /// Whether to update templates that the store already contains.
  package var updates = false

  /// Whether to append fields without a column to the notes of an exercise.
  package var keepsInNotes = false

  /// Whether to add outbox events that upload the user's own templates.
  package var addsEvents = false

  /// The owner of templates that don't name a user of the store: an ID or a row.
  ///
  /// A row has the form `SDUserProfileV11/1`.
  package var userID: String?

  package init() {}

  /// Imports the templates.
  ///
  /// If the method throws, some rows may have been written. So run it on a copy or in a
  /// transaction.
  ///
  /// - Parameters:
  ///   - preferences: The app's preferences.
  ///   - connection: A connection with the store as `main`.
  ///   - now: The current time, in seconds since 2001-01-01 UTC.
  /// - Returns: The outcome for each template.
  /// - Throws: A ``TemplateImportError``, or a ``SQLiteError`` if the store can't be read or
  ///   written.
  /// - Complexity: O(*n*) in the number of templates and exercises.
  package func run(
    _ preferences: Preferences, on connection: borrowing Connection, now: Double
  ) throws -> TemplateImportReport {
    let store = try StoreDescription(reading: connection)
    guard let model = store.cachedModel else {
      throw TemplateImportError.noTemplates(missing: "model")
    }
    let layout = store.layout(of: model)
    let rows = try TemplateRows(model, layout)
    var reader = TemplateReader()
    let templates = try read(preferences, &reader)
    let profiles = try Profiles(rows.profileEntity, choosing: userID, in: layout, connection)
    try requireOwners(templates, profiles)
    var pass = TemplatePass(
      options: self, rows: rows, profiles: profiles,
      events: addsEvents ? try TemplateEvents(layout, now: now) : nil)
    pass.report.unknownKeys = reader.unknownKeys
    for (index, template) in templates.enumerated() {
      try pass.add(template, at: index, connection)
    }
    return pass.report
  }

  private func read(
    _ preferences: Preferences, _ reader: inout TemplateReader
  ) throws(TemplateImportError) -> [Result<ImportedTemplate, TemplateProblem>] {
    let bytes = try preferences.json(under: key)
    do {
      return try reader.templates(in: bytes)
    } catch {
      throw .json(key: key, error)
    }
  }

  private func requireOwners(
    _ templates: [Result<ImportedTemplate, TemplateProblem>], _ profiles: Profiles
  ) throws(TemplateImportError) {
    let ownerless = templates.count { template in
      guard case .success(let template) = template, !template.isSystem else { return false }
      return profiles.profile(of: template) == nil
    }
    guard ownerless == 0 else {
      throw .profileNeeded(templates: ownerless, candidates: profiles.names)
    }
  }
}

/// Writes the templates, and counts the outcomes.
struct TemplatePass {
  let options: TemplateImport
  let rows: TemplateRows
  let profiles: Profiles
  let events: TemplateEvents?
  var report = TemplateImportReport()
  private var seen: Set<[UInt8]> = []

  init(
    options: TemplateImport, rows: TemplateRows, profiles: Profiles, events: TemplateEvents?
  ) {
    self.options = options
    self.rows = rows
    self.profiles = profiles
    self.events = events
  }

  mutating func add(
    _ template: Result<ImportedTemplate, TemplateProblem>, at index: Int,
    _ connection: borrowing Connection
  ) throws {
    switch template {
    case .failure(let problem): record(.unreadable(problem.sentence), at: index)
    case .success(let template) where !seen.insert(template.id).inserted:
      record(.unreadable("has the same id as an earlier template"), at: index)
    case .success(let template): try add(template, at: index, connection)
    }
  }

  private mutating func add(
    _ template: ImportedTemplate, at index: Int, _ connection: borrowing Connection
  ) throws {
    let found = try rows.row(of: template, connection)
    if let found, !options.updates {
      return record(.skipped, at: index, key: found.key)
    }
    if let exercise = try rows.takenExercise(of: template, key: found?.key, connection) {
      return record(
        .unreadable("exercises[\(exercise)] has the id of another template's exercise"), at: index)
    }
    let profile = template.isSystem ? nil : profiles.profile(of: template)
    let key: Int64
    if let found {
      key = found.key
      report.removedExercises += try rows.update(
        key, to: template, profile: profile?.key, keepingInNotes: options.keepsInNotes, connection)
      if found.updatedAt > template.updatedAt { report.replacedNewer += 1 }
    } else {
      key = try rows.insert(
        template, profile: profile?.key, keepingInNotes: options.keepsInNotes, connection)
    }
    record(
      found == nil ? .imported : .updated, at: index, key: key,
      exercises: template.exercises.count)
    count(template, at: index, profile: profile?.id)
    if let events, let user = profile?.id, template.backendID == nil {
      if try events.add(template, user: user, connection) { report.events += 1 }
    }
  }

  private mutating func record(
    _ fate: TemplateImportReport.Fate, at index: Int, key: Int64? = nil, exercises: Int = 0
  ) {
    report.items.append(
      TemplateImportReport.Item(index: index, fate: fate, key: key, exercises: exercises))
  }

  private mutating func count(_ template: ImportedTemplate, at index: Int, profile: [UInt8]?) {
    if let claimed = template.exerciseCount, claimed != template.exercises.count {
      report.correctedCounts += 1
    }
    if let user = template.userID, let profile, profiles.isAnother(user, than: profile) {
      report.adopted += 1
    }
    for (position, exercise) in template.exercises.enumerated() {
      if let claimed = exercise.templateID, claimed != template.id {
        report.reclaimedExercises += 1
      }
      let names = exercise.namesWithoutColumn
      if !names.isEmpty {
        report.rest.append(
          TemplateImportReport.Rest(template: index, exercise: position, names: names))
      }
    }
  }
}

import JSONText
package import SQLite
import StoreFormat

/// Moves workout templates from an app's preferences into a V11 store of FitIQ.
///
/// The mapping is that of "Workout Template SwiftData Migration"; the preferences aren't changed.
package struct TemplateImport: Hashable, Sendable {
  /// The key of the preferences that the templates are under.
  package var key = Preferences.templatesKey

  /// A Boolean value indicating whether templates that the store has already get the preferences' values.
  package var updates = false

  /// A Boolean value indicating whether what has no column is appended to an exercise's notes.
  package var keepsInNotes = false

  /// A Boolean value indicating whether the app is told to send the user's own templates.
  package var addsEvents = false

  /// Whose the templates are that name no user of the store.
  ///
  /// An id, or a row such as `SDUserProfileV11/1`.
  package var userID: String?

  package init() {}

  /// Imports the templates.
  ///
  /// - Parameters:
  ///   - preferences: The app's preferences.
  ///   - connection: A connection with the store as `main`; what is written is complete or an error is thrown,
  ///     so the caller writes to a copy or in a transaction.
  ///   - now: The present, in seconds since 2001-01-01 UTC.
  /// - Returns: What became of each template.
  /// - Throws: A ``TemplateImportError``; a `SQLiteError` if the store can't be read or written.
  /// - Complexity: O(*n*) in the number of templates and exercises.
  package func carryOut(
    _ preferences: Preferences, on connection: borrowing Connection, now: Double
  ) throws -> TemplateImportReport {
    let store = try StoreDescription(reading: connection)
    guard let model = store.cachedModel else {
      throw TemplateImportError.noTemplates(missing: "model")
    }
    let layout = StoreLayout(model, joinTableNames: store.tableNames)
    let rows = try TemplateRows(model, layout)
    var reader = TemplateReader()
    let templates = try read(preferences, &reader)
    let profiles = try Profiles(rows.profileEntity, choosing: userID, in: layout, connection)
    try checkOwners(templates, profiles)
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
  ) throws(TemplateImportError) -> [Result<WorkoutTemplate, TemplateProblem>] {
    let bytes = try preferences.json(under: key)
    do {
      return try reader.templates(in: bytes)
    } catch {
      throw .json(key: key, error)
    }
  }

  private func checkOwners(
    _ templates: [Result<WorkoutTemplate, TemplateProblem>], _ profiles: Profiles
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

/// One pass over the templates, which counts what it does.
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
    _ template: Result<WorkoutTemplate, TemplateProblem>, at index: Int,
    _ connection: borrowing Connection
  ) throws {
    switch template {
    case .failure(let problem): note(.unreadable(problem.sentence), at: index)
    case .success(let template) where !seen.insert(template.id).inserted:
      note(.unreadable("has the id of a template before it"), at: index)
    case .success(let template): try add(template, at: index, connection)
    }
  }

  private mutating func add(
    _ template: WorkoutTemplate, at index: Int, _ connection: borrowing Connection
  ) throws {
    let found = try rows.row(of: template, connection)
    if let found, !options.updates {
      return note(.skipped, at: index, key: found.key)
    }
    if let place = try rows.takenExercise(of: template, key: found?.key, connection) {
      return note(
        .unreadable("exercises[\(place)] has the id of another template's exercise"), at: index)
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
    note(
      found == nil ? .imported : .updated, at: index, key: key,
      exercises: template.exercises.count)
    count(template, at: index, profile: profile?.id)
    if let events, let user = profile?.id, template.backendID == nil {
      if try events.add(template, user: user, connection) { report.events += 1 }
    }
  }

  private mutating func note(
    _ fate: TemplateImportReport.Fate, at index: Int, key: Int64? = nil, exercises: Int = 0
  ) {
    report.items.append(
      TemplateImportReport.Item(index: index, fate: fate, key: key, exercises: exercises))
  }

  private mutating func count(_ template: WorkoutTemplate, at index: Int, profile: [UInt8]?) {
    if let claimed = template.exerciseCount, claimed != template.exercises.count {
      report.correctedCounts += 1
    }
    if let user = template.userID, let profile, profiles.isAnother(user, than: profile) {
      report.adopted += 1
    }
    for (place, exercise) in template.exercises.enumerated() {
      if let claimed = exercise.templateID, claimed != template.id {
        report.reclaimedExercises += 1
      }
      let names = exercise.namesWithoutColumn
      if !names.isEmpty {
        report.rest.append(
          TemplateImportReport.Rest(template: index, exercise: place, names: names))
      }
    }
  }
}

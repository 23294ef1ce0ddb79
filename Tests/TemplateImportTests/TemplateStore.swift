import Foundation
import Platform
import SQLite
import StoreFixtures
import StoreFormat
import StoreMigration
import StoreModel
import Testing
import TestSupport

@testable import TemplateImport
import Migrations

/// Returns the contents of a bundled property list.
func fixture(_ name: String) throws -> [UInt8] {
  let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/templates")
  return try FileSystem.read(folder.appending(path: "\(name).plist").path)
}

/// An empty FitIQ V11 store with some profiles.
struct TemplateStore {
  private let folder: TemporaryDirectory
  let path: String
  let users: [String]
  let profileKeys: [Int64]

  var names: [String] { profileKeys.map { "SDUserProfileV11/\($0)" } }

  init(profiles: Int) throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
    let model = try #require(Catalog.bundled.version("V11", of: "FitIQ")).model
    let connection = try Connection(path: path, mode: .create)
    try FreshStore(model: model, uuid: "11111111-2222-4333-8444-555555555555")
      .write(to: connection)
    let writer = try #require(RowWriter("SDUserProfileV11", in: StoreLayout(model)))
    var (users, keys): ([String], [Int64]) = ([], [])
    for number in 0..<profiles {
      let id: [UInt8] = (0..<16).map { UInt8($0 + number * 16 + 1) }
      keys.append(
        try writer.insert(
          [
            "id": .blob(id), "name": "n", "email": "e", "createdAt": 1.5, "unitSystem": "metric",
            "hasPerformedInitialHealthKitSync": 0,
          ], connection))
      users.append(uuidText(id))
    }
    (self.users, profileKeys) = (users, keys)
  }

  func run(_ options: TemplateImport, _ preferences: Preferences) throws -> TemplateImportReport {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.begin()
    let report: TemplateImportReport
    do {
      report = try options.run(preferences, on: connection, now: 800_000_000.5)
    } catch {
      try connection.rollback()
      throw error
    }
    try connection.commit()
    return report
  }

  func change(_ sql: String) throws { try Connection(path: path, mode: .readWrite).execute(sql) }

  func rows(_ sql: String) throws -> [[Value]] {
    try Connection(path: path, mode: .readOnly).rows(sql)
  }

  func values(_ sql: String) throws -> [Value] { try rows(sql).map { $0[0] } }

  /// The failed checks of `verify`.
  func failures() throws -> [String] {
    try StoreMigrator(catalog: .bundled).verify(path).checks.filter { !$0.isPassed }
      .map(\.name)
  }
}

/// The templates of a store, read with SQL and column names only.
struct ExportedTemplates {
  var templates: [[UInt8]: ImportedTemplate] = [:]
  var profiles: [[UInt8]: Int64?] = [:]
  var timesUsed: Set<Int64> = []

  init(_ store: TemplateStore) throws {
    let rows = try store.rows(
      """
      SELECT ZID, ZNAME, ZTEMPLATEDESCRIPTION, ZCATEGORY, ZDIFFICULTYLEVEL, ZESTIMATEDDURATIONMINUTES, ZISPUBLIC,
      ZISSYSTEM, ZSTATUS, ZEXERCISECOUNT, ZCREATEDAT, ZUPDATEDAT, ZISFAVORITE, ZISFEATURED, ZBACKENDID, ZSYNCSTATUS,
      Z_PK, ZUSERPROFILE, ZTIMESUSED FROM ZSDWORKOUTTEMPLATE
      """)
    for row in rows {
      let id = row[0].bytes
      let exercises = try store.rows(
        """
        SELECT ZID, ZEXERCISEID, ZUSEREXERCISEID, ZEXERCISENAME, ZORDERINDEX, ZTECHNIQUE, ZSETS, ZREPS, ZWEIGHTKG,
        ZDURATIONSECONDS, ZRESTSECONDS, ZNOTES, ZCREATEDAT, ZBACKENDID FROM ZSDTEMPLATEEXERCISE
        WHERE ZTEMPLATE = \(row[16].int64 ?? 0) ORDER BY ZID
        """)
      templates[id] = ImportedTemplate(
        id: id, userID: nil, name: row[1].string ?? "", description: row[2].string,
        category: row[3].string, difficultyLevel: row[4].string,
        estimatedDurationMinutes: row[5].int64, isPublic: row[6] == 1, isSystem: row[7] == 1,
        status: row[8].string ?? "", exerciseCount: row[9].int64,
        exercises: exercises.map { exercise in
          ImportedExercise(
            id: exercise[0].bytes, templateID: id, exerciseID: exercise[1].string,
            userExerciseID: exercise[2].string, exerciseName: exercise[3].string ?? "",
            orderIndex: exercise[4].int64 ?? -1, technique: exercise[5].string,
            techniqueDetails: [], rir: nil, tempo: nil, sets: exercise[6].int64,
            reps: exercise[7].int64, weightKg: exercise[8].number,
            durationSeconds: exercise[9].int64, restSeconds: exercise[10].int64,
            notes: exercise[11].string, createdAt: exercise[12].number ?? .nan,
            backendID: exercise[13].string)
        }, createdAt: row[10].number ?? .nan, updatedAt: row[11].number ?? .nan,
        isFavorite: row[12] == 1, isFeatured: row[13] == 1, backendID: row[14].string,
        syncStatus: row[15].string)
      profiles[id] = .some(row[17].int64)
      timesUsed.insert(row[18].int64 ?? -1)
    }
  }
}

extension Value {
  fileprivate var bytes: [UInt8] { if case .blob(let bytes) = self { bytes } else { [] } }
  fileprivate var number: Double? { double ?? int64.map(Double.init) }
}

import StoreAccess
import Platform
import SQLite
import StoreExchange
import StoreFormat
import StoreModel

/// What is around a store: the modes of its files, what runs left, the disk.
struct Surroundings {
  let files: StoreFiles
  let path: String

  /// The mode of the main file, of the log and of the folder; `nil` for what isn't there.
  private var modes: (main: UInt32?, log: UInt32?, folder: UInt32?) {
    func mode(_ path: String) -> UInt32? { (try? FileStatus.ifPresent(at: path))??.mode }
    return (mode(files.path), mode(files.wal), mode(files.folder))
  }

  /// Returns the cause of a mode that denies its owner to read; `nil` if none does.
  ///
  /// The superuser can read such a file, the app on its device can't.
  var unreadable: Diagnosis.Cause? {
    let modes = modes
    let denied = [(files.path, modes.main), (files.wal, modes.log)].filter {
      $0.1.map { $0 & 0o400 == 0 } ?? false
    }
    guard !denied.isEmpty else { return nil }
    return Diagnosis.Cause(
      code: .unreadable, sentence: "the mode of a file denies its owner to read it",
      errors: [.noPermission, .sqliteCannotOpen],
      evidence: denied.map {
        "'\($0.0)' has the mode \(String($0.1.map { $0 & 0o777 } ?? 0, radix: 8))"
      },
      next: [.advice("give its owner the permission to read and write")])
  }

  /// Returns the cause of a store that can't be written although its folder can, or the reverse.
  ///
  /// A copy that is read-only as a whole was kept in this way on purpose; see ``notes``.
  var readOnly: Diagnosis.Cause? {
    let modes = modes
    func denies(_ mode: UInt32?) -> Bool { mode.map { $0 & 0o200 == 0 } ?? false }
    var evidence: [String] = []
    if denies(modes.main) != denies(modes.folder) {
      evidence.append(
        denies(modes.main)
          ? "the mode of '\(path)' denies writing, that of its folder doesn't"
          : "the mode of the folder denies writing: SQLite can't create the log")
    }
    if denies(modes.log), !denies(modes.main) {
      evidence.append("the mode of '\(path)-wal' denies writing, that of the store doesn't")
    }
    if let file = try? FileDescriptor(opening: files.path) {
      if file.isProtected {
        evidence.append("an attribute of '\(path)' protects it from changes")
      }
      if let header = try? file.read(19, at: 0), header.isDatabase,
        let version = header.last, header.count == 19, version > 2
      {
        evidence.append("the header's write version is \(version); SQLite only reads such a file")
      }
    }
    guard !evidence.isEmpty else { return nil }
    return Diagnosis.Cause(
      code: .readOnly, sentence: "the app can read the store, but can't write it",
      errors: [.sqliteReadOnly, .noPermission], evidence: evidence,
      next: [.advice("give the file, its folder and its log the same permissions")])
  }

  /// Returns the cause of a log whose end SQLite leaves out; `nil` if the log is usable or isn't there.
  var unusableLog: Diagnosis.Cause? {
    guard let log = try? UnfinishedLog(of: files), log.isDamaged,
      (try? lockHolders(of: files.path))?.isEmpty == true
    else { return nil }
    return Diagnosis.Cause(
      code: .unusableLog,
      sentence:
        "the log was cut or changed, so SQLite leaves out its end: the newest rows may be missing",
      evidence: [
        "SQLite reads \(counted(log.readPages, "page", "pages")) of '\(path)-wal', "
          + "and leaves out the last \(counted(log.bytes, "byte", "bytes"))"
      ],
      next: [
        .advice("copy the log again, at the same time as the store, while the app isn't running")
      ])
  }

  /// Returns the causes that interrupted runs left.
  ///
  /// - Throws: An error if the folder of snapshots can't be read.
  func leftovers() throws -> [Diagnosis.Cause] {
    var causes: [Diagnosis.Cause] = []
    let own = try Recovery(files: files).leftovers()
    if !own.isEmpty {
      causes.append(
        Diagnosis.Cause(
          code: .interruptedRun,
          sentence: "a run of outbox-migrate was interrupted; the store is the old or the new one, "
            + "never a part",
          evidence: own.map(\.description),
          next: [
            .advice("repeat the command that was interrupted: it completes or discards the rest"),
            .command(["status", path]),
          ]))
    }
    let names = ((try? FileSystem.list(files.folder)) ?? []).filter {
      // Core Data writes the new store under this name. [likely; public reports]
      $0.contains(files.name) && $0.contains(".migrationdestination_")
    }
    if !names.isEmpty {
      causes.append(
        Diagnosis.Cause(
          code: .interruptedMigration,
          sentence: "the app's own migration was interrupted, for example by the watchdog at start",
          errors: [.migration], evidence: names.sorted().map { "'\($0)' is beside the store" },
          next: [
            .advice("remove these files from a copy, and let the app migrate without a time limit"),
            .command(["plan", path]),
          ]))
    }
    return causes
  }

  /// Returns the cause of a disk without room; `nil` if there is room.
  ///
  /// - Parameter free: The number of free bytes.
  /// - Returns: The cause, or `nil`.
  func noRoom(free: Int64) -> Diagnosis.Cause? {
    guard free < Self.leastFreeBytes else { return nil }
    return Diagnosis.Cause(
      code: .noRoom, sentence: "the disk is full, so the app can't write the store or migrate it",
      errors: [.diskFull], evidence: ["\(free) bytes are free beside the store"],
      next: [.advice("make room; Core Data needs as much again as the store for some migrations")])
  }

  /// With less, SQLite can't create a log and its index.
  private static let leastFreeBytes: Int64 = 1 << 20

  var notes: [String] {
    let modes = modes
    let isReadOnly = [modes.main, modes.folder].allSatisfy { $0.map { $0 & 0o200 == 0 } ?? false }
    return (isReadOnly ? ["the store and its folder are read-only here, as for a kept copy"] : [])
      + [uselessJournal].compactMap(\.self)
  }

  /// A sentence about a rollback journal that SQLite removes without reading it; `nil` without one.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/fileformat2.html#the_rollback_journal>
  private var uselessJournal: String? {
    let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    guard let file = try? FileDescriptor(opening: files.path + "-journal"),
      // A journal that begins with zeros is finished.
      let head = try? file.read(8, at: 0), head.first ?? 0 != 0, head != magic
    else { return nil }
    return
      "'\(path)-journal' isn't a rollback journal: SQLite removes it and rolls nothing back, so "
      + "a part of an interrupted write may be in the store; copy the journal again if there is one"
  }
}

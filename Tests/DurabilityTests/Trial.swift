import Foundation
import SQLite
import TestSupport

/// A run of the built program in a folder of its own, and what it left there.
struct Trial {
  /// The folder that the program was built in.
  let programs: String
  let folder: TemporaryDirectory

  /// A shell command that makes the store, without the program being cut.
  init(programs: String, prepared: TemporaryDirectory) throws {
    self.programs = programs
    folder = try TemporaryDirectory()
    for name in try prepared.names {
      try FileManager.default.copyItem(atPath: prepared.path(name), toPath: folder.path(name))
    }
  }

  var store: String { folder.path("default.store") }

  /// Runs the program to its end.
  @discardableResult
  func run(_ arguments: [String], cut: Cut? = nil, trace: String? = nil) throws -> Int32 {
    var words = ["\(programs)/outbox-migrate"] + arguments
    if cut != nil || trace != nil {
      let calls = cut.map { [$0.call] } ?? Cut.calls
      words =
        [
          "strace", "-f", "-qq", "-o", trace ?? "/dev/null", "-e",
          "trace=\(calls.joined(separator: ","))",
        ]
        + (cut.map { ["-e", $0.injection] } ?? []) + words
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 128
  }

  /// Every row of every table, the log included: what an app would see.
  func rows() throws -> [String] { try Self.rows(of: store) }

  static func rows(of store: String) throws -> [String] {
    let connection = try Connection(path: store, mode: .readOnlyUnshared)
    let tables = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    ).compactMap { $0[0].string }
    return try tables.flatMap { name in
      try connection.rows("SELECT * FROM \(quoteIdentifier(name))").sorted { "\($0)" < "\($1)" }.map
      {
        "\(name): \($0)"
      }
    }
  }

  /// The files that no documentation names, relative to the store's folder.
  func strayFiles(isSettled: Bool) throws -> [String] {
    let paths = FileManager.default.subpaths(atPath: folder.path) ?? []
    return paths.filter { path in
      let parts = path.split(separator: "/").map(String.init)
      switch parts.count {
      case 1:
        let name = parts[0]
        return ![
          "default.store", "default.store-wal", "default.store-shm", "default.store-journal",
          "default.store.snapshots",
        ].contains(name) && !name.hasPrefix("default.store.parked-")
      case 2: return parts[1].split(separator: "-").count < 3
      default:
        let lasting = [
          "default.store", "receipt.json", "parked.jsonl", "returned", "set-aside.jsonl",
          "quarantine.jsonl",
        ]
        return !(lasting + (isSettled ? [] : ["work", "work-journal", "header"])).contains(parts[2])
          && !parts[2].hasPrefix("receipt.json")
      }
    }
  }
}

import Foundation
import Platform
import SQLite
import TestSupport
import Migrations
import StoreProof

/// A folder with a store in it, in which the tool is run, and what stands there afterwards.
struct Trial {
  /// The path of the built tool.
  let tool: String
  let folder: TemporaryDirectory

  /// Copies a folder that was prepared.
  init(_ tool: String, copying prepared: TemporaryDirectory) throws {
    self.tool = tool
    folder = try TemporaryDirectory()
    for name in try prepared.names {
      try FileManager.default.copyItem(atPath: prepared.path(name), toPath: folder.path(name))
    }
  }

  var store: String { folder.path("default.store") }

  /// Runs the tool to its end, or to where it is cut, and returns its calls of a family, too.
  func run(
    _ arguments: [String], cut: Cut? = nil, tracing family: Cut.Family = Cut.changes,
    withoutLinks: Bool = false
  ) throws -> (ending: Programs.Ending, calls: [TracedCall]) {
    let notes = try TemporaryDirectory()
    let traced =
      // A call is made to fail only if it is traced.
      cut.map { [$0.call, "linkat"] } ?? (family.calls + ["close", "fcntl"]).map { "?" + $0 }
    let words =
      Programs.alone + [
        "strace", "-f", "-qq", "-y", "-s", "0", "-o", notes.path("trace"), "-e", "signal=none",
        "-e",
        "trace=" + traced.joined(separator: ","),
      ] + (withoutLinks ? ["-e", "inject=linkat:error=EPERM"] : [])
      + (cut.map { ["-e", $0.injection] } ?? [])
    let ending = try Programs.run(words + [tool] + arguments, in: folder.path)
    return (ending, try TracedCall.read(notes.path("trace")))
  }

  /// Every row of every table, the log included: what an app would see.
  func rows() throws -> [String] {
    let connection = try Connection(path: store, mode: .readOnlyUnshared)
    let tables = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    ).compactMap { $0[0].string }
    return try tables.flatMap { name in
      let columns = try connection.rows("SELECT name FROM pragma_table_info(?1)", [.text(name)])
        .compactMap { $0[0].string.map { "quote(\(quoteIdentifier($0)))" } }
      let row = columns.joined(separator: " || ', ' || ")
      return try connection.rows("SELECT \(row) FROM \(quoteIdentifier(name)) ORDER BY 1")
        .map { "\(name): \($0[0].string ?? "")" }
    }
  }

  /// The paths of everything in the folder, in order, counted from it.
  private func paths() throws -> [String] {
    (try FileManager.default.subpathsOfDirectory(atPath: folder.path)).sorted()
  }

  /// Everything that a command that reads must leave as it was, the folder's own times included.
  func fingerprint() throws -> [String] {
    try (["."] + paths()).map { path in
      let status = try FileStatus(of: folder.path(path), followingLinks: false)
      let hash =
        status.kind == .regular ? Hexadecimal.encode(try sha256(ofFile: folder.path(path))) : ""
      return "\(path) \(status.identity) \(status.modified) \(status.mode) \(hash)"
    }
  }

  /// What the next run finds, without what differs from run to run and nothing depends on: the names that
  /// the time gives, the bytes of a file that is thrown away, the numbers in a receipt.
  func state() throws -> [String] {
    let main = try FileStatus(of: store).identity
    var folders: [Substring: Int] = [:]
    return try paths().map { path in
      let status = try FileStatus(of: folder.path(path), followingLinks: false)
      var parts = path.split(separator: "/")
      if parts.count > 1, parts[0].hasSuffix(".snapshots") {
        let number = folders[parts[1]] ?? folders.count
        folders[parts[1]] = number
        parts[1] = "\(number)"
      }
      let name = parts.joined(separator: "/")
      guard status.kind == .regular else { return name }
      let isMain = status.identity == main ? "the store" : ""
      return "\(name) \(isMain) \(try content(of: path, status))"
    }
  }

  private func content(of path: String, _ status: FileStatus) throws -> String {
    switch FileSystem.name(of: path) {
    case "work", "work-journal", "work-wal", "work-shm", "edited-journal": return ""
    case let name where name.hasPrefix("receipt.json"):
      let text = String(decoding: try FileSystem.read(folder.path(path)), as: UTF8.self)
      return text.split(separator: "\n")
        .filter { $0.contains("\"state\":") || $0.contains("\"kind\":") }.joined()
    default: return Hexadecimal.encode(try sha256(ofFile: folder.path(path)))
    }
  }

  /// The files that `Documentation/Files.md` doesn't name, counted from the folder.
  func strayFiles(isSettled: Bool) throws -> [String] {
    try paths().filter { path in
      let parts = path.split(separator: "/").map(String.init)
      if parts[0] == ".default_SUPPORT" { return isSettled && path.hasSuffix(".new") }
      switch parts.count {
      case 1:
        // A killed run may leave a log with nothing in it.
        let isEmptyLog = try path == "default.store-wal" && FileStatus(of: store + "-wal").size == 0
        return !isEmptyLog && !Self.isNamed(parts[0], isSettled: isSettled)
      case 2: return parts[1].split(separator: "-").count < 3
      default: return !Self.isNamedInSnapshot(parts[2], isSettled: isSettled)
      }
    }
  }

  private static func isNamed(_ name: String, isSettled: Bool) -> Bool {
    let lasting = ["default.store", "default.store.snapshots", "default.store.unfinished-wal"]
    let passing = ["default.store-wal", "default.store-shm", "default.store-journal"]
    return (lasting + (isSettled ? [] : passing)).contains(name)
      || name.hasPrefix("default.store.parked-") && (!isSettled || name.hasSuffix(".jsonl"))
  }

  private static func isNamedInSnapshot(_ name: String, isSettled: Bool) -> Bool {
    let lasting = [
      "default.store", "receipt.json", "parked.jsonl", "returned", "set-aside.jsonl",
      "quarantine.jsonl", "edited", "_EXTERNAL_DATA",
    ]
    let passing = [
      "work", "work-journal", "work-wal", "work-shm", "edited-journal", "header", "header.new",
      "empty-wal", "unfinished-wal", "receipt.json.new", "default.store.new",
    ]
    return (lasting + (isSettled ? [] : passing)).contains(name)
  }
}

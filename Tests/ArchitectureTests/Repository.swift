import Foundation
import Synchronization

/// The package's own files, each read once.
struct Repository {
  static let shared = Repository()

  /// The Swift files below `Sources`, without those that the documentation shows.
  let sources: [SourceFile]

  /// The Swift files below `Tests`.
  let tests: [SourceFile]

  /// Every file that people read, by its path.
  let prose: [(path: String, bytes: [UInt8])]
  let manifest: Manifest
  let drawing: Drawing

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private init() {
    let paths = ["Sources", "Tests", "Documentation", "Scripts"].flatMap(Self.files)
    prose = (paths + ["README.md", "Makefile"]).map { ($0, Self.bytes(of: $0)) }
    let swift = prose.filter { $0.path.hasSuffix(".swift") }
    let found = Mutex<[String: SourceFile]>([:])
    DispatchQueue.concurrentPerform(iterations: swift.count) { number in
      let file = SourceFile(path: swift[number].path, bytes: swift[number].bytes)
      found.withLock { $0[file.path] = file }
    }
    let files = found.withLock { found in swift.compactMap { found[$0.path] } }
    sources = files.filter { $0.path.hasPrefix("Sources/") && !$0.path.contains(".docc/") }
    tests = files.filter { $0.path.hasPrefix("Tests/") }
    manifest = Manifest(SourceFile(path: "Package.swift", bytes: Self.bytes(of: "Package.swift")))
    drawing = Drawing(
      String(decoding: Self.bytes(of: "Documentation/Architecture.md"), as: UTF8.self))
  }

  /// Returns a file's bytes, or an empty array if the file can't be read.
  static func bytes(of path: String) -> [UInt8] {
    (try? Data(contentsOf: root.appending(path: path))).map(Array.init) ?? []
  }

  /// The paths of all files below a folder, in order.
  private static func files(below folder: String) -> [String] {
    let path = root.appending(path: folder).path
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    return names.sorted().map { folder + "/" + $0 }.filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(
        atPath: root.appending(path: path).path, isDirectory: &isFolder) && !isFolder.boolValue
    }
  }
}

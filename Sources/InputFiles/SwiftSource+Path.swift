import JSONText
import ModelSource
import Platform
import SourceDeclarations
import Processes
import StoreMigration
package import SwiftModels

/// A Swift source file, or a folder with such files, and the version that follows a `#`.
package struct SwiftSourcePath {
  /// The path as typed, with the version.
  package private(set) var text: String

  /// The path without the version.
  package let path: String

  /// The version that the path names, or the newest one.
  package private(set) var choice: SourceChoice

  /// The paths of the source files, in order.
  package let files: [String]

  /// Folders of packages and build products, which hold no models of the app itself.
  private static let ignored: Set<String> = ["Pods", "Carthage", "DerivedData", "node_modules"]

  /// The deepest folder that is read.
  private static let maximumDepth = 64

  /// The number of files that the parser gets at once, so that its arguments fit.
  private static let filesAtOnce = 500

  /// Finds the source files at a path.
  ///
  /// Returns `nil` if the path is neither a Swift file nor a folder with one. In a folder, hidden
  /// files and folders, folders of tests, and symbolic links are left out.
  ///
  /// - Throws: A ``Failure`` if a name in a folder isn't UTF-8.
  package init?(_ text: String) throws(Failure) {
    let parts = ModelPath.parts(of: text)
    let isRoot = text.hasPrefix("/") && parts.path.isEmpty
    (self.text, path) = (text, isRoot ? "/" : parts.path)
    choice = parts.version.map(SourceChoice.version) ?? .newest
    switch try? FileStatus(of: path).kind {
    case .regular: files = path.hasSuffix(".swift") ? [path] : []
    case .directory: files = try Self.files(in: parts.path, depth: 0)
    case .symbolicLink, .other, nil: files = []
    }
    if files.isEmpty { return nil }
  }

  /// Returns the path of a version in the same files.
  package func naming(_ version: String) -> SwiftSourcePath {
    var named = self
    named.text = "\(path)#\(version)"
    named.choice = .version(version)
    return named
  }

  private static func files(in folder: String, depth: Int) throws(Failure) -> [String] {
    guard depth < maximumDepth else {
      throw Failure(.badFile, "'\(folder)' is \(depth) folders deep; give a folder inside")
    }
    var files: [String] = []
    for name in try names(in: folder) {
      let path = "\(folder)/\(name)"
      guard !name.hasPrefix("."), !ignored.contains(name), !name.hasSuffix("Tests"),
        let kind = try? FileStatus(of: path, followingLinks: false).kind
      else { continue }
      switch kind {
      case .directory: files += try Self.files(in: path, depth: depth + 1)
      case .regular: if name.hasSuffix(".swift") { files.append(path) }
      case .symbolicLink, .other: continue
      }
    }
    return files
  }

  /// Returns the names in a folder.
  private static func names(in folder: String) throws(Failure) -> [String] {
    do {
      return try FileSystem.list(folder)
    } catch {
      guard error.isOfName else { throw Failure(.ioError, error.description) }
      throw Failure(.badFile, "\(error.description); rename the file")
    }
  }

  /// The name of the app: that of the folder, or of the folder around 'Sources'.
  package var app: String {
    let full = (try? FileSystem.resolve(path)) ?? path
    let folder = path.hasSuffix(".swift") ? FileSystem.parent(of: full) : full
    let name = FileSystem.name(of: folder)
    return name == "Sources" ? FileSystem.name(of: FileSystem.parent(of: folder)) : name
  }

  /// Parses the files with the program `outbox-source`.
  ///
  /// - Throws: A ``Failure`` if the program is missing or fails.
  package func parse() throws(Failure) -> SwiftSource {
    let program = try Program.sibling(
      "outbox-source",
      advice: "build it with 'make', with a Swift toolchain that has SwiftParser in lib/swift/host")
    for file in files {
      do {
        _ = try FileDescriptor(opening: file)
      } catch {
        throw Failure(.ioError, error.description)
      }
    }
    var parsed: [SwiftFile] = []
    var rest = files[...]
    while !rest.isEmpty {
      parsed += try Self.parse(Array(rest.prefix(Self.filesAtOnce)), program)
      rest = rest.dropFirst(Self.filesAtOnce)
    }
    return SwiftSource(parsed)
  }

  private static func parse(_ files: [String], _ program: String) throws(Failure) -> [SwiftFile] {
    let outcome: Program.Outcome
    do {
      // After a name that begins with '-', the program would take a path for an option.
      outcome = try Program.run(program, files)
    } catch {
      throw Failure(.ioError, error.description)
    }
    if let signal = outcome.signal, StopSignal(exitStatus: outcome.status) == nil {
      // Each half on its own, until the file that ends the program is alone.
      guard files.count == 1 else {
        let half = files.count / 2
        return try parse(Array(files.prefix(half)), program)
          + parse(Array(files.dropFirst(half)), program)
      }
      throw Failure(
        .badFile,
        "'\(files[0])' can't be parsed: signal \(signal) ended 'outbox-source'; it may be nested "
          + "too deeply")
    }
    guard outcome.status == 0 else {
      throw Failure(
        StopSignal(exitStatus: outcome.status).map { ExitStatus($0) } ?? .failed,
        "'outbox-source' exited with status \(outcome.status); it needs the Swift toolchain that "
          + "it was built with")
    }
    do {
      return try [SwiftFile](document: outcome.output)
    } catch {
      throw Failure(
        .failed,
        "can't read the output of 'outbox-source'; install the same version of both programs")
    }
  }
}

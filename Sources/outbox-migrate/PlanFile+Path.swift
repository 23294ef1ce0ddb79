import JSONText
import Platform
import StoreMigration
package import RowRewriting

extension PlanFile {
  /// Reads the plan at a path.
  init(at path: String) throws(Failure) {
    let bytes = try Self.bytes(at: path)
    guard !bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw Failure(.badFile, "'\(path)' is a store; give the file of a plan, or plan it first")
    }
    do {
      try self.init(parsing: bytes, file: path)
    } catch {
      throw Failure(error)
    }
  }

  private static func bytes(at path: String) throws(Failure) -> [UInt8] {
    do {
      let status = try FileStatus(of: path)
      if status.kind == .directory {
        throw Failure(.noStore, "'\(path)' is a directory; give the file of a plan")
      }
      // Opening a pipe would wait for its other end.
      guard status.kind == .regular else {
        throw Failure(.badFile, "'\(path)' is no file; give the file of a plan")
      }
      guard status.size <= maximumByteCount else {
        throw Failure(.badFile, "'\(path)' is larger than any plan; give the file of a plan")
      }
      return try FileSystem.read(path)
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure(readingPlan: error, at: path)
    }
  }

  /// Returns whether a file is a plan rather than a store, by what it begins with.
  ///
  /// What can't be read is left to whoever takes it for a store to complain of.
  static func isPlan(at path: String) -> Bool {
    guard let status = try? FileStatus(of: path), status.kind == .regular,
      let file = try? FileDescriptor(opening: path), let bytes = try? file.read(64, at: 0)
    else { return false }
    return isPlan(beginningWith: bytes)
  }

  /// Returns whether a file is a store by its first bytes, or is meant as one by its name.
  static func isStoreLike(_ path: String) -> Bool {
    let endings = [".store", ".sqlite", ".sqlite3", ".db", ".storedata"]
    if endings.contains(where: { path.lowercased().hasSuffix($0) }) { return true }
    guard let status = try? FileStatus(of: path), status.kind == .regular,
      let file = try? FileDescriptor(opening: path), let bytes = try? file.read(16, at: 0)
    else { return false }
    return bytes == Array("SQLite format 3".utf8) + [0]
  }

  /// Saves the plan for its owner alone; an older plan at the path is replaced, nothing else is.
  func save(to path: String) throws(Failure) {
    guard !["-wal", "-shm", "-journal"].contains(where: { path.hasSuffix($0) }) else {
      throw Failure(
        .cannotCreate, "'\(path)' has the name of a store's own file; give another name")
    }
    let bytes = Array(text.utf8)
    do {
      if try FileSystem.exists(path) {
        let isOlder = Self.isPlan(at: path) && (try? PlanFile(at: path)) != nil
        guard isOlder else {
          throw Failure(.cannotCreate, "'\(path)' exists already and is no plan; give another name")
        }
        try FileSystem.replace(path, with: bytes, mode: 0o600, suffix: ".outbox-migrate-new")
      } else {
        try FileSystem.create(path, bytes, mode: 0o600)
      }
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure(.cannotCreate, "\(error); check the folder")
    }
  }

  /// The path of the store that lies beside the file of a plan.
  func storePath(beside path: String) -> String {
    let folder = FileSystem.parent(of: path)
    if folder == "." && !path.hasPrefix("./") { return store }
    return folder.hasSuffix("/") ? folder + store : "\(folder)/\(store)"
  }
}

extension Failure {
  fileprivate init(readingPlan error: any Error, at path: String) {
    guard let error = error as? SystemError, !error.isNotFound else {
      self.init(.noStore, "there is no plan '\(path)'; check the path")
      return
    }
    self.init(.ioError, "\(error); check the permissions")
  }
}

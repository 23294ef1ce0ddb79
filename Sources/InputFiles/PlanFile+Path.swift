import SafeText
import Platform
import SQLite
import Migrations
import StoreMigration
import StoreModel

extension PlanFile {
  /// Reads the plan at a path.
  package init(at path: String) throws(Failure) {
    let bytes = try Self.bytes(at: path)
    guard !bytes.isDatabase else {
      throw Failure(
        .badFile, "'\(path)' is a store; give a saved plan, or create one with 'plan --out'")
    }
    do {
      try self.init(parsing: bytes, file: path)
    } catch {
      throw Self.advice(on: bytes, at: path) ?? Failure(error)
    }
  }

  /// Returns the error for a file that belongs to an option; `nil` for other files.
  private static func advice(on bytes: [UInt8], at path: String) -> Failure? {
    if (try? SchemaFile(parsing: bytes, file: path)) != nil {
      return Failure(
        .badFile,
        "'\(path)' is a schema file, not a plan; give a store, and '--to \(path.shellPath)'")
    }
    guard (try? Migration(parsing: bytes, file: path)) != nil else { return nil }
    return Failure(
      .badFile,
      "'\(path)' is a migration file, not a plan; give a store, and the file's folder with "
        + "'--migrations'")
  }

  private static func bytes(at path: String) throws(Failure) -> [UInt8] {
    do {
      let status = try FileStatus(of: path)
      if status.kind == .directory {
        throw Failure(.noStore, "'\(path)' is a directory; give a plan file")
      }
      // Opening a named pipe would block until someone writes to it.
      guard status.kind == .regular else {
        throw Failure(.badFile, "'\(path)' isn't a regular file; give a plan file")
      }
      guard status.size <= maximumByteCount else {
        throw Failure(.badFile, "'\(path)' is too large for a plan; give a plan file")
      }
      return try FileSystem.read(path)
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure(readingPlan: error, at: path)
    }
  }

  /// Returns whether a file begins like a plan; `false` if it can't be read.
  ///
  /// The caller then treats the path as a store's, and reports why it can't be read.
  package static func isPlan(at path: String) -> Bool {
    guard let status = try? FileStatus(of: path), status.kind == .regular,
      let file = try? FileDescriptor(opening: path), let bytes = try? file.read(64, at: 0)
    else { return false }
    return isPlan(beginningWith: bytes)
  }

  /// Returns whether a file is a store by its first bytes or by its name.
  package static func isStoreLike(_ path: String) -> Bool {
    let endings = [".store", ".sqlite", ".sqlite3", ".db", ".storedata"]
    if endings.contains(where: { path.lowercased().hasSuffix($0) }) { return true }
    return StorePath.isDatabase(path)
  }

  /// Saves the plan, readable by its owner only; replaces an older plan, but no other file.
  package func save(to path: String) throws(Failure) {
    guard !["-wal", "-shm", "-journal"].contains(where: { path.hasSuffix($0) }) else {
      throw Failure(
        .cannotCreate, "SQLite uses the name '\(path)' for a store's journal; give another name")
    }
    let bytes = Array(text.utf8)
    do {
      if try FileSystem.exists(path) {
        let isOlder = Self.isPlan(at: path) && (try? PlanFile(at: path)) != nil
        guard isOlder else {
          throw Failure(
            .cannotCreate, "'\(path)' already exists and isn't a plan; give another name")
        }
      }
      try FileSystem.replace(path, with: bytes, mode: 0o600, suffix: FileSystem.draftSuffix)
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure(.cannotCreate, "\(error); check the folder")
    }
  }

  /// Returns the path of the store beside a plan file.
  package func storePath(beside path: String) -> String {
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

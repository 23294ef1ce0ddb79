import JSONText
package import Platform
package import SQLite
package import StoreFormat

/// A look at a store that leaves every byte and every time stamp as it was.
///
/// A store that nobody uses is read without locks and without a `-shm`; of one in use counts only what
/// SQLite's ordinary reader reads, beside its writer.
package struct StoreInspection: ~Copyable {
  /// The store's files.
  package let files: StoreFiles

  /// The path as the user typed it.
  package let typedPath: String

  /// The other processes that have the store open.
  package let holders: [Holder]

  /// A Boolean value indicating whether the store is read as one of many, beside others' locks.
  let isShared: Bool

  /// What the store says of itself.
  package let store: StoreDescription

  /// Which version it is at.
  package let recognition: Recognition

  /// The connection that the store is read through.
  package let connection: Connection

  /// The files as they were before they were opened.
  private let moments: StoreMoments

  /// Opens a store and recognises it.
  ///
  /// - Throws: A ``MigrationError`` that says why the file is no usable store.
  package init(path: String, catalog: Catalog) throws(MigrationError) {
    let files = try StoreFiles(resolving: path)
    let opened = try OpenedStore.open(files, typed: path)
    typedPath = path
    self.files = files
    holders = opened.holders
    isShared = opened.isShared
    store = opened.description
    recognition = Recognition(store, in: catalog)
    moments = opened.moments
    connection = opened.connection
  }

  /// Does what reads from the store; it counts for nothing if the store was written to meanwhile.
  ///
  /// Beside processes that use the store, SQLite's locks keep whole what one transaction reads.
  ///
  /// - Throws: What the body throws, wrapped; ``MigrationError/inUse(_:holders:)`` if the store, which
  ///   nobody used, was written to.
  package func reading<Result>(_ body: () throws -> Result) throws(MigrationError) -> Result {
    let result = Swift.Result { try body() }
    guard isShared || StoreMoments(of: files) == moments else {
      throw .inUse(typedPath, holders: [])
    }
    do {
      return try result.get()
    } catch {
      throw MigrationError(wrapping: error, path: typedPath)
    }
  }
}

extension MigrationError {
  /// Words an error of the format by what it says about the file.
  init(_ error: StoreFormatError, path: String) {
    switch error {
    case .sqlite(let cause) where cause.isNotADatabase: self = .encrypted(path)
    case .sqlite(let cause) where cause.isCorrupt || cause.isUnknownFormat:
      self = .damaged(path, cause)
    case .sqlite(let cause) where cause.isBusy: self = .inUse(path, holders: [])
    // SQLITE_READONLY_ROLLBACK: reading would have to write.
    case .sqlite(let cause) where cause.code == 776: self = .hotJournal(path)
    case .sqlite(let cause) where cause.isReadOnly: self = .readOnly(path)
    case .sqlite(let cause) where cause.isConstraint:
      self = .brokenRule(path, rule: cause.message)
    case .sqlite(let cause): self = .sqlite(cause)
    case .notAStore, .badMetadata, .badModelCache: self = .notAStore(path, error)
    }
  }

  /// The error behind another: this target's own as it is, SQLite's and the system's wrapped.
  init(wrapping error: any Error, path: String) {
    guard let known = MigrationError(known: error, path: path) else {
      preconditionFailure("an error of no known kind: \(type(of: error))")
    }
    self = known
  }

  /// The error behind another; none for one that somebody else defined.
  init?(known error: any Error, path: String) {
    switch error {
    case let error as MigrationError: self = error
    case let error as SQLiteError: self = MigrationError(.sqlite(error), path: path)
    case let error as StoreFormatError: self = MigrationError(error, path: path)
    case let error as SystemError where !error.isDenied: self = .io(error)
    case let error as SystemError:
      self = error.isOfReading ? .unreadable(error) : .cannotCreate(error)
    case let error as LineageError: self = .lineage(error)
    case let error as ProgramError: self = .program(error)
    case let error as JSONError: self = .file(error)
    default: return nil
    }
  }
}

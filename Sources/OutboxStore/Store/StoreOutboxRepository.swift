public import OutboxCore
import StoreModel
import SQLite
package import StoreFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The outbox in a store file.
///
/// Every function that writes is one transaction. It writes what Core Data would write, except for
/// the persistent history: an app that follows its history doesn't see these changes there.
public actor StoreOutboxRepository {
  /// The connection; `nil` if the repository is closed, or while a statement runs.
  private var connection: Connection?

  let store: StoreDescription
  let table: OutboxTable

  /// The entities that events are about.
  let requests: RequestTables

  /// The rules in which the apps differ.
  public nonisolated let rules: OutboxRules

  private let isReadOnly: Bool

  /// Returns the current date; tests provide their own.
  let now: @Sendable () -> Date

  /// The events in progress that the server accepted, with the ids that it gave to their entities.
  var accepted: [UUID: (event: OutboxEvent, backendID: String)] = [:]

  /// SQLite's version of the data from which the queue was read; `nil` if it must be read again.
  ///
  /// It changes when another connection writes: <https://www.sqlite.org/pragma.html#pragma_data_version>
  var queuedVersion: Int64?

  /// The keys of recently read rows, which save a pass over the table.
  private var keys: [UUID: Int64] = [:]

  /// The maximum number of remembered keys.
  private static let keyLimit = 10_000

  init(
    connection: consuming Connection, store: StoreDescription, rules: OutboxRules?,
    isReadOnly: Bool, now: @escaping @Sendable () -> Date
  ) throws(OutboxError) {
    table = try OutboxTable(store)
    requests = RequestTables(of: store)
    self.connection = consume connection
    self.store = store
    self.rules = rules ?? OutboxRules(of: store)
    self.isReadOnly = isReadOnly
    self.now = now
  }

  /// Opens the outbox of a store.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - rules: The rules in which the apps differ; `nil` for those of the store's app.
  ///   - isAlone: Whether to lock all other processes out of the store while the outbox is open.
  ///   - isReadOnly: Whether to open the store for reading only. Functions that write then throw
  ///     `OutboxError/readOnly`. SQLite still takes its locks, and creates a `-shm` beside a store
  ///     in WAL mode.
  ///   - now: A closure that returns the current date.
  /// - Returns: The outbox.
  /// - Throws: An `OutboxError` if the store can't be read or has no outbox of FitIQCore's form.
  public static func open(
    _ path: String, rules: OutboxRules? = nil, isAlone: Bool = false, isReadOnly: Bool = false,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(OutboxError) -> StoreOutboxRepository {
    let connection = try Self.connection(path, isAlone: isAlone, isReadOnly: isReadOnly)
    let store: StoreDescription
    do throws(StoreFormatError) {
      store = try StoreDescription(reading: connection)
    } catch {
      throw .format(error)
    }
    return try StoreOutboxRepository(
      connection: connection, store: store, rules: rules, isReadOnly: isReadOnly, now: now)
  }

  private static func connection(
    _ path: String, isAlone: Bool, isReadOnly: Bool
  ) throws(OutboxError) -> Connection {
    do throws(SQLiteError) {
      let connection = try Connection(path: path, mode: isReadOnly ? .readOnly : .readWrite)
      connection.setBusyTimeout(.seconds(5))
      try connection.keepLittleInMemory()
      connection.keepStatements(limit: 64)
      if isAlone {
        try connection.execute("PRAGMA main.locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
      }
      if isReadOnly {
        try connection.rememberIndexes("main", asLargeAs: "main", limit: 8_192)
      } else {
        // Events are marked in the order of the queue, entities in any order.
        try connection.pragma("cache_size = -8192")
      }
      // At each commit, SQLite visits all changed pages of temporary tables that its cache holds. It writes
      // a quarter of the cache at a time, so ten of 40 pages.
      try connection.pragma("temp.cache_size = 40")
      // A longer log writes pages that change again and again once. It is at most 16 MiB long.
      if !isReadOnly { try connection.pragma("wal_autocheckpoint = 4000") }
      // If a power failure undoes a mark, the event is only sent again.
      if !isReadOnly, try connection.pragma("journal_mode").string == "wal" {
        try connection.pragma("synchronous = NORMAL")
      }
      return connection
    } catch {
      throw .sqlite(error)
    }
  }

  /// Copies the contents of the WAL to the main file, and truncates the WAL.
  public func checkpoint() throws(OutboxError) {
    try changing { connection throws(SQLiteError) in try connection.walCheckpointTruncate() }
  }

  /// Closes the store; other functions then throw `OutboxError/closed`.
  ///
  /// The last connection to a store that closes copies the WAL to the main file, and removes it. A
  /// connection for reading only doesn't. You can close a repository twice.
  public func close() {
    connection = nil
  }
}

extension OutboxRules {
  /// Creates the rules of the store's app; FitIQ's if the app isn't known.
  package init(of store: StoreDescription) {
    let model = store.cachedModel
    let isLume = model?["SDJournalEntry"] != nil && model?["SDProgressEntry"] == nil
    self = isLume ? .lume : .fitIQ
  }
}

extension StoreOutboxRepository {
  /// Runs a body with the connection.
  func using<Output>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Output
  ) throws(OutboxError) -> Output {
    guard let open = connection.take() else { throw .closed }
    let result: Result<Output, SQLiteError>
    do throws(SQLiteError) {
      result = .success(try body(open))
    } catch {
      result = .failure(error)
    }
    connection = consume open
    do { return try result.get() } catch { throw .sqlite(error) }
  }

  /// Runs a body with the connection, which must be one for writing.
  private func changing<Output>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Output
  ) throws(OutboxError) -> Output {
    guard !isReadOnly else { throw .readOnly }
    return try using(body)
  }

  /// Runs a body as one transaction.
  func write<Output>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Output
  ) throws(OutboxError) -> Output {
    try changing { connection throws(SQLiteError) in
      do throws(SQLiteError) {
        return try connection.transaction(.immediate, body)
      } catch {
        // SQLite commits the store before its temporary file: if that is full, only the queue is rolled back.
        queuedVersion = nil
        throw error
      }
    }
  }

  /// Changes the row of an event in one transaction; throws the error that the body returns.
  func change(
    _ id: UUID,
    _ body: (Int64, borrowing Connection) throws(SQLiteError) -> OutboxError?
  ) throws(OutboxError) {
    let refusal = try write { connection throws(SQLiteError) -> OutboxError? in
      guard let key = try key(of: id, connection) else { return .noSuchEvent(id) }
      return try body(key, connection)
    }
    if let refusal { throw refusal }
  }

  /// Changes the row of an event in one transaction.
  ///
  /// - Parameters:
  ///   - id: The event's id.
  ///   - body: A closure that changes the row with a key if it has the id; returns whether it did.
  ///   - refusal: A closure that returns the error for a row that has the id and wasn't changed.
  /// - Throws: ``OutboxError/noSuchEvent(_:)``, the error of `refusal`, or one of the store.
  func change(
    _ id: UUID, _ body: (Int64, borrowing Connection) throws(SQLiteError) -> Bool,
    refusal: () -> OutboxError
  ) throws(OutboxError) {
    let error = try write { connection throws(SQLiteError) -> OutboxError? in
      // A row that was read is still at its key, unless another process changed the outbox.
      if let key = keys[id], try body(key, connection) { return nil }
      guard let key = try key(of: id, connection) else { return .noSuchEvent(id) }
      return try body(key, connection) ? nil : refusal()
    }
    if let error { throw error }
  }

  /// Removes and returns what the server gave for an event.
  func takeAccepted(_ id: UUID) -> (event: OutboxEvent, backendID: String)? {
    accepted.removeValue(forKey: id)
  }

  /// Remembers the keys of events, and returns the events.
  func remember(_ found: [(key: Int64, event: OutboxEvent)]) -> [OutboxEvent] {
    if keys.count + found.count > Self.keyLimit { keys.removeAll(keepingCapacity: true) }
    for (key, event) in found.suffix(Self.keyLimit) { keys[event.id] = key }
    return found.map(\.event)
  }

  /// Finds the key of an event's row.
  private func key(
    of id: UUID, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64? {
    if let key = keys[id], try table.status(ofKey: key, id, connection) != nil { return key }
    let key = try table.key(of: id, connection)
    if let key { keys[id] = key }
    return key
  }
}

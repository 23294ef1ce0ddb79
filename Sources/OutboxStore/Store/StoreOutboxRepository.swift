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
  let connection: Connection
  let table: OutboxTable

  /// The entities that events are about.
  let requests: RequestTables

  /// The rules in which the apps differ.
  public nonisolated let rules: OutboxRules

  /// Returns the current date; tests provide their own.
  let now: @Sendable () -> Date

  /// The keys of recently read rows, which save a pass over the table.
  private var keys: [UUID: Int64] = [:]

  /// The maximum number of remembered keys.
  private static let keyLimit = 10_000

  init(
    connection: consuming Connection, table: OutboxTable,
    requests: sending RequestTables, rules: OutboxRules, now: @escaping @Sendable () -> Date
  ) {
    self.connection = connection
    self.table = table
    self.requests = requests
    self.rules = rules
    self.now = now
  }

  /// Opens the outbox of a store for reading and writing.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - rules: The rules in which the apps differ; `nil` for those of the store's app.
  ///   - isAlone: Whether to lock all other processes out of the store while the outbox is open.
  ///   - now: A closure that returns the current date.
  /// - Returns: The outbox.
  /// - Throws: An ``OutboxError`` if the store can't be read or has no outbox of FitIQCore's form.
  public static func open(
    _ path: String, rules: OutboxRules? = nil, isAlone: Bool = false,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(OutboxError) -> StoreOutboxRepository {
    let connection = try Self.connection(path, isAlone: isAlone)
    let store: StoreDescription
    do throws(StoreFormatError) {
      store = try StoreDescription(reading: connection)
    } catch {
      throw .format(error)
    }
    let table = try OutboxTable(store)
    return StoreOutboxRepository(
      connection: connection, table: table, requests: RequestTables(of: store),
      rules: rules ?? OutboxRules(of: store), now: now)
  }

  private static func connection(
    _ path: String, isAlone: Bool
  ) throws(OutboxError) -> Connection {
    do throws(SQLiteError) {
      let connection = try Connection(path: path, mode: .readWrite)
      connection.setBusyTimeout(.seconds(5))
      try connection.keepLittleInMemory()
      if isAlone {
        try connection.execute("PRAGMA main.locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
      }
      try connection.rememberIndexes("main", asLargeAs: "main", limit: 8_192)
      // If a power failure undoes a mark, the event is only sent again.
      if try connection.pragma("journal_mode").string == "wal" {
        try connection.pragma("synchronous = NORMAL")
      }
      return connection
    } catch {
      throw .sqlite(error)
    }
  }

  /// Copies the contents of the WAL to the main file, and truncates the WAL.
  public func checkpoint() throws(OutboxError) {
    do { try connection.walCheckpointTruncate() } catch { throw .sqlite(error) }
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
  /// Runs a body as one transaction.
  func write<Output>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Output
  ) throws(OutboxError) -> Output {
    do throws(SQLiteError) {
      return try connection.transaction(.immediate, body)
    } catch {
      throw .sqlite(error)
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

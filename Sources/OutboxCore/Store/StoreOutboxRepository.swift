import OutboxFormat
import SQLite
package import StoreFormat
import StoreModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The outbox in a store file.
///
/// Every function that writes is one transaction. What is written is what Core Data would write,
/// except for its history: an app that follows its own history doesn't see these changes there.
public actor StoreOutboxRepository {
  let connection: Connection
  let table: OutboxTable

  /// The entities that events are about, as far as the store has them.
  let entities: [OutboxEventType: RequestTable]

  /// Finds their rows.
  let finder: EntityFinder

  /// Where the apps differ.
  public nonisolated let rules: OutboxRules

  /// The present moment; tests have their own.
  let now: @Sendable () -> Date

  /// The keys of rows that were read lately, which spare a pass over the table.
  private var keys: [UUID: Int64] = [:]

  /// The most keys that are remembered.
  private static let keyLimit = 10_000

  init(
    connection: consuming Connection, table: OutboxTable,
    entities: [OutboxEventType: RequestTable], rules: OutboxRules,
    now: @escaping @Sendable () -> Date
  ) {
    self.connection = connection
    self.table = table
    self.entities = entities
    finder = EntityFinder(entities.mapValues(\.rows))
    self.rules = rules
    self.now = now
  }

  /// Opens the outbox of a store for reading and writing.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - rules: Where the apps differ; nil for the ways of the app whose store it is.
  ///   - isAlone: Whether to keep every other process from the store while this exists.
  ///   - now: The present moment.
  /// - Returns: The outbox.
  /// - Throws: An ``OutboxError`` where the store can't be read or has no outbox of FitIQCore's
  ///   form.
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
      connection: connection, table: table, entities: RequestTable.all(of: store),
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
      // A mark that a power failure takes back only means that the event is sent again.
      if try connection.pragma("journal_mode").string == "wal" {
        try connection.pragma("synchronous = NORMAL")
      }
      return connection
    } catch {
      throw .sqlite(error)
    }
  }

  /// Moves what was written from the WAL into the main file.
  public func checkpoint() throws(OutboxError) {
    do { try connection.walCheckpointTruncate() } catch { throw .sqlite(error) }
  }
}

extension OutboxRules {
  /// The ways of the app whose store it is; FitIQ's where nobody knows.
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

  /// Changes the row of an event as one transaction, unless the body refuses.
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

  /// Remembers where events are, and returns them.
  func remember(_ found: [(key: Int64, event: OutboxEvent)]) -> [OutboxEvent] {
    if keys.count + found.count > Self.keyLimit { keys.removeAll(keepingCapacity: true) }
    for (key, event) in found.suffix(Self.keyLimit) { keys[event.id] = key }
    return found.map(\.event)
  }

  /// Finds the row of an event.
  private func key(
    of id: UUID, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64? {
    if let key = keys[id], try table.status(ofKey: key, id, connection) != nil { return key }
    let key = try table.key(of: id, connection)
    if let key { keys[id] = key }
    return key
  }
}

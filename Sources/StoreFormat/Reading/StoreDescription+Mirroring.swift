package import SQLite

extension StoreDescription {
  /// The tables of the store's mirroring to CloudKit, in order of creation.
  package var mirroringTables: [TableDescription] { tables.filter(\.isOfMirroring) }

  /// Whether the store mirrors to CloudKit, or did so before.
  package var isMirrored: Bool { tables.contains(where: \.isOfMirroring) }

  /// Counts the rows that have a record in the cloud, and those that wait for it.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - schema: The schema of the store.
  /// - Returns: The counts; `nil` if the store doesn't mirror to CloudKit.
  /// - Throws: A ``SQLiteError`` if the records can't be read.
  /// - Complexity: O(*n*) in the number of records.
  package func mirroringCounts(
    _ connection: borrowing Connection, schema: String = "main"
  ) throws(SQLiteError) -> MirroringCounts? {
    guard isMirrored else { return nil }
    guard let table = table(named: MirroringTables.records) else { return MirroringCounts() }
    func count(_ columns: String...) -> String {
      let flags = columns.filter { table.hasColumn($0) }.map { "coalesce(\($0), 0) <> 0" }
      return flags.isEmpty ? "0" : "count(*) FILTER (WHERE \(flags.joined(separator: " OR ")))"
    }
    let row = try connection.rows(
      """
      SELECT count(*), \(count("ZNEEDSUPLOAD")), \(count("ZNEEDSCLOUDDELETE", "ZNEEDSLOCALDELETE"))
      FROM \(qualified(table.name, in: schema))
      """)[0]
    return MirroringCounts(
      records: row[0].int64 ?? 0, uploads: row[1].int64 ?? 0, deletions: row[2].int64 ?? 0)
  }
}

extension StoreDescription.TableDescription {
  /// Whether the table is one of mirroring to CloudKit.
  package var isOfMirroring: Bool {
    name.uppercased().hasPrefix(MirroringTables.tablePrefix)
  }

  /// The index of the column with the entity's number of a mirrored row, or `nil`.
  package var mirroredEntityPlace: Int? {
    guard isOfMirroring else { return nil }
    return columns.firstIndex { $0.name.uppercased() == MirroringTables.entityColumn }
  }

  /// Returns the number of rows of a table of mirroring that are about no entity of a model.
  ///
  /// - Precondition: The table has a ``mirroredEntityPlace``.
  package func strayRows(
    _ layout: StoreLayout, schema: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    try connection.value(
      """
      SELECT count(*) FROM \(qualified(name, in: schema))
      WHERE typeof(ZENTITYID) <> 'integer' OR ZENTITYID NOT BETWEEN 1 AND ?1
      """, [.integer(Int64(layout.numbering.names.count))])?.int64 ?? 0
  }

  /// Returns whether the table has a column of a name in upper case.
  package func hasColumn(_ name: String) -> Bool {
    columns.contains { $0.name.uppercased() == name }
  }
}

/// The numbers of a mirrored store's rows by their state in the cloud.
package struct MirroringCounts: Hashable, Sendable {
  /// The number of rows that have a record in the cloud, or get one.
  package var records: Int64 = 0

  /// The number of records that wait for upload.
  package var uploads: Int64 = 0

  /// The number of records that wait for deletion, in the cloud or in the store.
  package var deletions: Int64 = 0
}

extension MirroringCounts: CustomStringConvertible {
  package var description: String {
    "\(records) known to the cloud, \(uploads) to upload, \(deletions) to delete"
  }
}

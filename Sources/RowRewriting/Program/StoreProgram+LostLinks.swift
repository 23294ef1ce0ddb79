import SQLite

extension StoreProgram {
  /// Links of a join table that are lost, or places in the order of links.
  package struct LostLinks: Hashable, Sendable {
    /// The step's name, as `--accept-data-loss` takes it.
    package let step: String

    /// The relationship, as plans name it.
    package let object: String

    /// The table with the links.
    package let table: String

    /// Where the places of the links are; `nil` if the links are lost.
    package let places: Places?

    /// The number of lost links or places, in SQL over the old store.
    package var count: String { places?.lost(in: table) ?? "SELECT count(*) FROM \(name)" }

    private var name: String { qualified(table, in: "main") }
  }

  /// The columns with the order of links.
  package struct Places: Hashable, Sendable {
    /// The key of the row whose links are ordered.
    let owner: String

    /// The place of a link among those of the row.
    let place: String

    /// The key of the row that the link leads to.
    let key: String

    /// Returns SQL for the number of places that don't follow the order of the keys.
    fileprivate func lost(in table: String) -> String {
      let (owner, place, key) = (
        quoteIdentifier(owner), quoteIdentifier(place), quoteIdentifier(key)
      )
      return """
        SELECT count(*) FROM (SELECT
          row_number() OVER (PARTITION BY \(owner) ORDER BY \(place), \(key)) AS place,
          row_number() OVER (PARTITION BY \(owner) ORDER BY \(key)) AS ofKey
        FROM \(qualified(table, in: "main")) WHERE \(owner) IS NOT NULL AND \(place) IS NOT NULL)
        WHERE place <> ofKey
        """
    }
  }
}

import SQLite
import Testing

@testable import StoreFormat

@Suite struct KeySequenceTests {
  @Test func `no key follows the highest one`() throws {
    let connection = try Connection.memory()
    try connection.execute(
      """
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE ZTOY (Z_PK INTEGER PRIMARY KEY);
      INSERT INTO Z_PRIMARYKEY VALUES (4, 'Toy', 0, 7);
      INSERT INTO ZTOY VALUES (9)
      """)
    let sequence = KeySequence(of: 4, table: "ZTOY")
    #expect(try sequence.next(connection) == 10)
    try connection.execute("INSERT INTO ZTOY VALUES (9223372036854775807)")
    let error = #expect(throws: SQLiteError.self) { try sequence.next(connection) }
    #expect(error?.isConstraint == true)
    #expect(error?.message == "its highest key is taken, so no row can be added")
  }
}

/// Returns a name as it stands in SQL for a table, column, index or schema: in double quotes.
///
/// - Precondition: The name has no NUL, which would end the statement.
package func quoteIdentifier(_ name: String) -> String {
  precondition(!name.utf8.contains(0), "a name in SQL has no NUL")
  var quoted = "\""
  for character in name.unicodeScalars {
    quoted.unicodeScalars.append(character)
    if character == "\"" { quoted.unicodeScalars.append(character) }
  }
  return quoted + "\""
}

/// Returns the name of a table in an attached file as it stands in SQL: `"schema"."table"`.
///
/// - Precondition: The names have no NUL, which would end the statement.
package func qualified(_ table: String, in schema: String) -> String {
  "\(quoteIdentifier(schema)).\(quoteIdentifier(table))"
}

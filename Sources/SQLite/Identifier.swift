/// Returns an identifier quoted for SQL, in double quotes.
///
/// - Precondition: The name doesn't contain NUL, which would end the statement.
package func quoteIdentifier(_ name: String) -> String {
  precondition(!name.utf8.contains(0), "an SQL identifier contains no NUL")
  // Most names have no quotation mark.
  guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"" + name + "\"" }
  var quoted = "\""
  for character in name.unicodeScalars {
    quoted.unicodeScalars.append(character)
    if character == "\"" { quoted.unicodeScalars.append(character) }
  }
  return quoted + "\""
}

/// Returns a quoted table name with its schema: `"schema"."table"`.
///
/// - Precondition: The names don't contain NUL, which would end the statement.
package func qualified(_ table: String, in schema: String) -> String {
  "\(quoteIdentifier(schema)).\(quoteIdentifier(table))"
}

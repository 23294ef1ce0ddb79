/// Returns a name as it stands in SQL for a table, column, index or schema: in double quotes.
///
/// - Precondition: The name has no NUL, which would end the statement.
public func quoteIdentifier(_ name: String) -> String {
  precondition(!name.utf8.contains(0), "a name in SQL has no NUL")
  var quoted = "\""
  for character in name.unicodeScalars {
    quoted.unicodeScalars.append(character)
    if character == "\"" { quoted.unicodeScalars.append(character) }
  }
  return quoted + "\""
}

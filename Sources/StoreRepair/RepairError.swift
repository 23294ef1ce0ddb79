/// A reason why a store can't be repaired.
package enum RepairError: Error, Hashable, Sendable {
  /// No version fits the tables of the store.
  case noVersion(String, reason: String)

  /// Several versions fit the tables of the store; each is named as `APP:VERSION`.
  case severalVersions(String, names: [String])

  /// Mandatory attributes of rows have neither a value nor a default value.
  case valuesNeeded(String, attributes: [String])

  /// The model has no mandatory attribute of that name.
  case noAttribute(String)

  /// The user gave two values for an attribute.
  case doubledAttribute(String)

  /// The given value is that of another row, in an attribute that must be unique.
  case takenValue(attribute: String)

  /// Several rows would get one value in an attribute that must be unique.
  case uniqueAttribute(String, rows: Int64)

  /// The value isn't one of the attribute's type; the value isn't repeated.
  case badValue(attribute: String, expected: String)

  /// The user named a version, but the store is at another.
  case otherVersion(String, given: String, found: String)

  /// Something else has the name of a table that the version needs.
  case nameTaken(String, name: String, by: String)

  /// A table of the version isn't in Core Data's form.
  case foreignForm(String, table: String, has: String)

  /// The pages of a damaged store have something that a new file can't get.
  case unsavable(String, reason: String)

  /// No keys are left for the rows of a table that have the key of another.
  case noKeys(String, table: String)

  /// The hashes of the version's model can't be computed.
  case unknownHashes(version: String, entities: [String])
}

extension RepairError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noVersion(let path, let reason):
      "the version of '\(path)' can't be found: \(reason); "
        + "give the app's model with '--app-version'"
    case .severalVersions(let path, let names):
      "'\(path)' has the tables of several versions: "
        + "\(names.joined(separator: ", ")); name one with '--app-version'"
    case .valuesNeeded(let path, let attributes): Self.valuesNeeded(path, attributes)
    case .noAttribute(let name):
      "the model has no mandatory attribute '\(name)'; "
        + "'outbox-migrate schema show' lists the attributes"
    case .doubledAttribute(let name):
      "'--fill' is given twice for '\(name)'; give one value"
    case .takenValue(let name):
      "another row has the value that '--fill' gives '\(name)', which must be unique; "
        + "give a value that no row has"
    case .uniqueAttribute(let name, let rows):
      "'\(name)' must be unique, and \(rows) rows have no value in it; "
        + "write a value into each row with sqlite3 in a copy, and repair the copy"
    case .badValue(let attribute, let expected):
      "the value for '\(attribute)' isn't \(expected); give such a value with '--fill'"
    case .otherVersion(let path, let given, let found):
      "'\(path)' isn't at '\(given)': it has the tables of '\(found)'; "
        + "leave out '--app-version', or give that version"
    case .nameTaken(let path, let name, let kind):
      "'\(path)' has a \(kind) '\(name)', where the version has a table; "
        + "drop or rename it with sqlite3 in a copy, and repair the copy"
    case .foreignForm(let path, let table, let part):
      "table '\(table)' of '\(path)' has \(part), which Core Data's tables don't have, so it isn't "
        + "written; create the table without it with sqlite3 in a copy, and repair the copy"
    case .unsavable(let path, let reason):
      "pages of '\(path)' are damaged, and \(reason), so its rows aren't saved; "
        + "'sqlite3 \(path) .recover' prints what SQLite's shell can read"
    case .noKeys(let path, let table):
      "the keys of table '\(table)' in '\(path)' end at the highest possible one, so doubled rows "
        + "get no new ones; lower the highest keys with sqlite3 in a copy, and repair the copy"
    case .unknownHashes(let version, let entities): Self.unknownHashes(version, entities)
    }
  }

  private static func valuesNeeded(_ path: String, _ attributes: [String]) -> String {
    let names = attributes.count == 1 ? "a mandatory attribute" : "mandatory attributes"
    return "rows of '\(path)' have no value in \(names) without a default value; "
      + "give one for each: " + attributes.map { "--fill '\($0)=VALUE'" }.joined(separator: " ")
  }

  private static func unknownHashes(_ version: String, _ entities: [String]) -> String {
    "the hashes of \(entities.map { "'\($0)'" }.joined(separator: ", ")) in '\(version)' "
      + "aren't known; give a store that the app wrote at this version with '--app-version'"
  }
}

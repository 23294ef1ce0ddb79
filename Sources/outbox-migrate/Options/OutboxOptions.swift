import CommandLineKit
import InputFiles
import OutboxCore
import OutboxStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension OutboxEventStatus: ArgumentValue {}
extension OutboxEventType: ArgumentValue {}

/// The parameters that the outbox commands have in common.
enum OutboxOptions {
  static let store = Argument<StorePath>(
    "store", help: "The store's main file, or a folder that contains one store.", completion: .file)
  static let user = Option<UserName?>(
    "--user", valueName: "id", help: "Only events of this user.")
  static let type = Option<OutboxEventType?>(
    "--type", valueName: "type", help: "Only events of this type.")
  static let showsValues = Flag(
    "--show-values", help: "Show ids, users, dates, errors and metadata, except secrets.")
  static let dryRun = Flag("--dry-run", help: "Report what would change, and write nothing.")
}

/// A day or a moment, in ISO 8601.
struct Moment: ArgumentValue, Hashable {
  let date: Date

  init(argument: String) throws(ArgumentValueError) {
    let isDay = argument.utf8.count == 10
    guard let date = Date(internetText: isDay ? argument + "T00:00:00Z" : argument) else {
      throw .malformed(expected: "a date such as '2025-01-31' or '2025-01-31T08:00:00Z'")
    }
    self.date = date
  }

  var argumentText: String { date.internetText ?? "" }
}

extension Duration {
  var inSeconds: Double { self / .seconds(1) }
}

/// A user's id, as rows contain it.
struct UserName: ArgumentValue, Hashable {
  let text: String

  init(argument: String) throws(ArgumentValueError) {
    let digits = argument.utf8.dropFirst()
    let isFingerprint =
      argument.hasPrefix("#") && digits.count == 8
      && digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    guard !isFingerprint else {
      throw .malformed(expected: "an id, not its fingerprint; '--show-values' shows ids")
    }
    text = argument
  }

  var argumentText: String { text }
}

/// A row of the outbox, as `outbox list` names it.
struct OutboxRowName: ArgumentValue, Hashable {
  let key: Int64

  init(argument: String) throws(ArgumentValueError) {
    let prefix = OutboxTable.entity + "/"
    let digits = argument.hasPrefix(prefix) ? String(argument.dropFirst(prefix.count)) : argument
    guard let key = Int64(digits), key > 0 else {
      throw .malformed(expected: "a row such as '\(prefix)12' or '12'")
    }
    self.key = key
  }

  var argumentText: String { "\(OutboxTable.entity)/\(key)" }
}

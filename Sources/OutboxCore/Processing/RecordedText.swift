#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Error {
  /// The `errorDescription` of a `LocalizedError`, otherwise the error's type and code.
  ///
  /// An error's dump is never used, because it may contain tokens or the body of a request.
  package var describedText: String {
    // `FoundationEssentials` has no `NSError`, which would give the code.
    (self as? any LocalizedError)?.errorDescription ?? "\(type(of: self)) (code \(_code))"
  }

  /// The text by which an event, a report or a log line names the error, of at most 500 characters.
  ///
  /// It is ``describedText`` without what may be a token, an address or the body of a message.
  package var recordedText: String {
    var text = RecordedText(describedText)
    return String(text.redacted().prefix(500))
  }
}

/// The text of an error, from which secrets are removed before it is stored.
///
/// An app's own descriptions may quote what was sent or received. Words are judged by their form:
/// addresses and paths, values with a secret's name, long mixtures of letters and digits. JSON, markup
/// and all but the first line are removed as bodies. UUIDs stay, because they are ids of rows.
struct RecordedText {
  private static let removed = "[removed]"

  /// Parts of names whose values are secrets.
  private static let secretNames = [
    "token", "secret", "password", "passwd", "pwd", "passphrase", "key", "authorization", "bearer",
    "cookie", "session", "credential", "signature", "jwt",
  ]
  private static let schemes: Set = ["bearer", "basic", "digest", "negotiate"]
  private static let marks: Set<Character> = [
    "'", "\"", "“", "”", "‘", "’", "(", ")", ",", ";", "!", ".", ":", "`", "|", "?",
  ]

  private let text: String

  /// Whether the next word is the value of a secret's name, or only if it looks like one.
  private var isSecretNext = false
  private var mayBeSecretNext = false

  init(_ text: String) { self.text = text }

  /// Returns the text without secrets.
  mutating func redacted() -> String {
    let lines = text.split(whereSeparator: \.isNewline)
    guard let first = lines.first else { return Self.removed }
    let body = first.indices.first { Self.isStartOfBody(first[$0...]) }
    var words = first[..<(body ?? first.endIndex)].split(separator: " ").map { word(String($0)) }
    if body != nil || lines.count > 1 { words.append(Self.removed) }
    return words.joined(separator: " ")
  }

  /// Whether JSON or markup starts here, or the value of a key in quotes.
  private static func isStartOfBody(_ rest: Substring) -> Bool {
    let next = rest.dropFirst().first
    return switch rest.first {
    case "{": true
    case "[": next.map { $0 == "\"" || $0 == "{" || $0.isNumber } ?? false
    case "<": next.map { $0.isLetter || $0 == "!" || $0 == "/" } ?? false
    case "\"": next == ":"
    default: false
    }
  }

  /// Returns a word, or what it is replaced by.
  private mutating func word(_ word: String) -> String {
    let core = Self.core(word)
    defer { expect(after: core, endingIn: word.last) }
    if isSecretNext || mayBeSecretNext && Self.isMixed(core, from: 6) {
      return Self.schemes.contains(core.lowercased()) ? word : Self.removed
    }
    if UUID(uuidString: core) != nil { return word }
    if Self.isAddress(core) || Self.isForm(core) {
      return word.replacing(core, with: Self.removed)
    }
    if let (name, separator) = Self.secretName(of: core) {
      return name + String(separator) + Self.removed
    }
    return Self.isMixed(core, from: 16) ? word.replacing(core, with: Self.removed) : word
  }

  private mutating func expect(after core: String, endingIn last: Character?) {
    let name = core.lowercased()
    let isName = Self.secretNames.contains { name.contains($0) }
    let wasSecret = isSecretNext
    isSecretNext =
      Self.schemes.contains(name) && (name != "basic" || wasSecret)
      || isName && (last == ":" || last == "=")
    mayBeSecretNext = isName
  }

  /// Returns a word without the marks around it.
  private static func core(_ word: String) -> String {
    let start = word.drop { marks.contains($0) }
    return String(start.reversed().drop { marks.contains($0) || $0 == "=" }.reversed())
  }

  /// Returns the name in `name=value` or `name:value`, if it is a secret's.
  private static func secretName(of core: String) -> (String, Character)? {
    guard let place = core.firstIndex(where: { $0 == "=" || $0 == ":" }) else { return nil }
    let name = core[..<place].lowercased()
    guard secretNames.contains(where: { name.contains($0) }) else { return nil }
    return (String(core[..<place]), core[place])
  }

  /// Whether a word is a URL, an e-mail address, a host, an IP address or a path of several parts.
  private static func isAddress(_ core: String) -> Bool {
    if core.contains("@") || core.contains("://") || core.hasPrefix("/") || core.hasPrefix("~/") {
      return true
    }
    if core.count(where: { $0 == "/" }) > 1 || core.hasPrefix("localhost") { return true }
    let hextets = core.split(separator: ":", omittingEmptySubsequences: false)
    if hextets.count > 2, hextets.allSatisfy({ $0.allSatisfy(\.isHexDigit) }) { return true }
    let host = core.prefix { $0 != ":" && $0 != "/" }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty }) else { return false }
    if labels.count == 4, labels.allSatisfy({ UInt8($0) != nil }) { return true }
    return labels.last.map { $0.count > 1 && $0.allSatisfy { $0.isLetter && $0.isLowercase } }
      ?? false
  }

  /// Whether a word mixes letters and digits, as keys and encoded bytes do, and has no other marks.
  private static func isMixed(_ core: String, from length: Int) -> Bool {
    core.count >= length && core.contains(where: \.isLetter) && core.contains(where: \.isNumber)
      && core.allSatisfy { $0.isLetter || $0.isNumber || "_-+/=.%~".contains($0) }
  }

  /// Whether a word is the body of a form.
  private static func isForm(_ core: String) -> Bool { core.contains("=") && core.contains("&") }
}

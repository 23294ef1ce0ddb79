import SQLite
import StoreModel

/// How the values of one attribute are made.
struct AttributeRecipe: Sendable {
  /// What a value is.
  enum Kind: Sendable {
    /// The id of the row itself.
    case identity(asText: Bool)

    /// The id of a row of another entity.
    case reference(Crowd, asText: Bool)

    /// The user the row belongs to.
    case owner(asText: Bool)

    /// The user the row belongs to, as a text beside the row's link, with which it may disagree.
    case ownerText

    /// The user that the row is about: each row has its own.
    case user

    /// A moment, as seconds after the one at which the row was made.
    case moment(ClosedRange<Double>)

    /// A moment in the hour before the row was made; in every other row the same.
    case generation

    /// A day long before the row was made, often before 2001.
    case birthday

    /// One of a few texts.
    case choice([[UInt8]])

    /// Sentences, one after the other.
    case prose(ClosedRange<Int>)

    /// A list of words, archived.
    case words([WordList])

    /// A JSON object, as bytes or text.
    case json(asText: Bool)

    /// An id that a server gave.
    case serverID

    /// A secret that a server gave.
    case token

    case number(ClosedRange<Double>, steps: Double)
    case integer(ClosedRange<Int>)
    case boolean(percent: Int)
    case uuid
    case url

    /// Bytes; large ones where the attribute may keep them in a file of its own.
    case bytes(hasPrefix: Bool)

    /// A value like no other row's, for attributes that must be unique.
    case unique(AttributeType)

    /// A column of the outbox.
    case outbox(OutboxColumn)
  }

  let kind: Kind

  /// What the first rows have: the values that a conversion may stumble over.
  let edges: [Value]

  /// In how many of a hundred rows there is no value.
  let nullPercent: Int

  /// What tells this attribute's sequences from those of others.
  let hash: UInt64
}

extension AttributeRecipe {
  /// Returns the value for a row; an outbox column has none here.
  func value(of crowd: Crowd, at index: Int, in world: World) -> Value {
    if index < edges.count { return edges[index] }
    var random = world.random(hash, index)
    if isNull(at: index, &random) { return .null }
    switch kind {
    case .identity(let asText): return uuidValue(world.id(crowd, index), asText: asText)
    case .reference(let other, let asText):
      guard other.count > 0 else { return uuidValue(random.uuid(), asText: asText) }
      // A few rows outlive what they refer to.
      let target = random.chance(3) ? other.count + random.below(5) : random.below(other.count)
      return uuidValue(world.id(other, target), asText: asText)
    case .owner(let asText): return uuidValue(world.owner(crowd, index), asText: asText)
    case .ownerText: return .text(world.ownerText(crowd, index))
    case .user: return uuidValue(world.user(index), asText: true)
    case .moment(let range):
      return .real(((world.moment(crowd, index) + random.number(range)) * 1e6).rounded() / 1e6)
    case .generation:
      let isSame = index.isMultiple(of: 2)
      return .real(world.moment(crowd, index) - (isSame ? 0 : Double(random.integer(1...3_600))))
    case .birthday: return .real(Double(random.integer(-20_000...1_500)) * 86_400)
    case .choice(let texts): return .text(random.pick(texts))
    case .prose(let range): return .text(Vocabulary.prose(range, &random))
    case .words(let lists): return .blob(random.pick(lists).archive)
    case .json(let asText):
      let bytes = Vocabulary.json(&random)
      return asText ? .text(bytes) : .blob(bytes)
    case .serverID: return .text(serverID(of: crowd, at: index, in: world, random: &random))
    case .token: return .text(Vocabulary.token(&random))
    case .number(let range, let steps):
      return .real((random.number(range) / steps).rounded() * steps)
    case .integer(let range): return .integer(Int64(random.integer(range)))
    case .boolean(let percent): return .integer(random.chance(percent) ? 1 : 0)
    case .uuid: return .blob(random.uuid())
    case .url: return .text("https://example.org/\(random.below(100_000))?q=caf%C3%A9")
    case .bytes(let hasPrefix): return bytes(hasPrefix: hasPrefix, random: &random)
    case .unique(let type): return uniqueValue(type, key: crowd.key(index), random: &random)
    case .outbox: return .null
    }
  }

  /// Whether there is no value: the first row has one, the second doesn't, later ones by chance.
  private func isNull(at index: Int, _ random: inout RandomSource) -> Bool {
    guard nullPercent > 0 else { return false }
    let isNull = random.chance(nullPercent)
    return index < 2 ? index == 1 : isNull
  }

  private func uuidValue(_ bytes: [UInt8], asText: Bool) -> Value {
    asText ? .text(uuidTextBytes(bytes)) : .blob(bytes)
  }

  private func serverID(
    of crowd: Crowd, at index: Int, in world: World, random: inout RandomSource
  ) -> [UInt8] {
    // A mapper once kept the row's own id for the server's.
    let id = random.chance(2) ? world.id(crowd, index) : random.uuid()
    return Array(String(decoding: uuidTextBytes(id), as: UTF8.self).lowercased().utf8)
  }

  private func bytes(hasPrefix: Bool, random: inout RandomSource) -> Value {
    let count = random.below(64)
    let content = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    // 1: the bytes themselves follow; see `StoreFormat.md` §13.
    return .blob(hasPrefix ? [1] + content : content)
  }

  private func uniqueValue(_ type: AttributeType, key: Int64, random: inout RandomSource) -> Value {
    switch type {
    case .string: .text("\(random.pick(Vocabulary.names)) \(key)")
    case .uri: .text("https://example.org/\(key)")
    case .uuid: .blob(random.uuid())
    case .double, .float, .decimal, .date: .real(Double(key) + 0.5)
    case .binary, .transformable: .blob(Array(String(key).utf8))
    default: .integer(key)
    }
  }
}

/// A list of words, and how a transformable attribute keeps it.
struct WordList: Sendable {
  let words: [String]
  let archive: [UInt8]
}

/// Returns the canonical upper-case text of a UUID's 16 bytes, as UTF-8.
func uuidTextBytes(_ bytes: [UInt8]) -> [UInt8] {
  var text: [UInt8] = []
  text.reserveCapacity(36)
  for (place, byte) in bytes.enumerated() {
    if place == 4 || place == 6 || place == 8 || place == 10 { text.append(UInt8(ascii: "-")) }
    text.append(hexDigit(byte >> 4))
    text.append(hexDigit(byte & 15))
  }
  return text
}

private func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
}

import SQLite
import StoreModel

/// How to create the values of an attribute.
struct AttributeRecipe: Sendable {
  /// The kind of a value.
  enum Kind: Sendable {
    /// The row's own ID.
    case identity(asText: Bool)

    /// The ID of a row of another entity.
    case reference(RowSet, asText: Bool)

    /// The ID of the user who owns the row.
    case owner(asText: Bool)

    /// The ID of the owner as text, which may contradict the row's relationship.
    case ownerText

    /// The ID of the user whom the row represents.
    case user

    /// A date relative to the row's creation, in seconds.
    case moment(ClosedRange<Double>)

    /// A date up to an hour before the row's creation; every other row has the creation date.
    case generation

    /// A date long before the row's creation, often before 2001.
    case birthday

    /// One of a few texts.
    case choice([[UInt8]])

    /// Several sentences.
    case prose(ClosedRange<Int>)

    /// An archived list of words.
    case words([WordList])

    /// A JSON object, as bytes or text.
    case json(asText: Bool)

    /// An ID assigned by a server.
    case serverID

    /// A secret issued by a server.
    case token

    case number(ClosedRange<Double>, steps: Double)
    case integer(ClosedRange<Int>)
    case boolean(percent: Int)
    case uuid
    case url

    /// Bytes, with the prefix of inline data if the attribute allows external storage.
    case bytes(hasPrefix: Bool)

    /// A value that no other row has.
    case unique(AttributeType)

    /// A column of the outbox.
    case outbox(OutboxColumn)
  }

  let kind: Kind

  /// The values of the first rows: edge cases for conversions.
  let edges: [Value]

  /// The percentage of rows without a value.
  let nullPercent: Int

  /// The seed of the attribute's sequences.
  let hash: UInt64
}

extension AttributeRecipe {
  /// Returns the value for a row; NULL for a column of the outbox, which ``OutboxRows`` creates.
  func value(of rowSet: RowSet, at index: Int, in fixture: FixturePlan) -> Value {
    if index < edges.count { return edges[index] }
    var random = fixture.random(hash, index)
    if isNull(at: index, &random) { return .null }
    switch kind {
    case .identity(let asText): return uuidValue(fixture.id(rowSet, index), asText: asText)
    case .reference(let other, let asText):
      guard other.count > 0 else { return uuidValue(random.uuid(), asText: asText) }
      // In some rows, the referenced row has been deleted.
      let target = random.chance(3) ? other.count + random.below(5) : random.below(other.count)
      return uuidValue(fixture.id(other, target), asText: asText)
    case .owner(let asText): return uuidValue(fixture.owner(rowSet, index), asText: asText)
    case .ownerText: return .text(fixture.ownerText(rowSet, index))
    case .user: return uuidValue(fixture.user(index), asText: true)
    case .moment(let range):
      return .real(((fixture.moment(rowSet, index) + random.number(range)) * 1e6).rounded() / 1e6)
    case .generation:
      let isSame = index.isMultiple(of: 2)
      return .real(fixture.moment(rowSet, index) - (isSame ? 0 : Double(random.integer(1...3_600))))
    case .birthday: return .real(Double(random.integer(-20_000...1_500)) * 86_400)
    case .choice(let texts): return .text(random.pick(texts))
    case .prose(let range): return .text(Vocabulary.prose(range, &random))
    case .words(let lists): return .blob(random.pick(lists).archive)
    case .json(let asText):
      let bytes = Vocabulary.json(&random)
      return asText ? .text(bytes) : .blob(bytes)
    case .serverID: return .text(serverID(of: rowSet, at: index, in: fixture, random: &random))
    case .token: return .text(Vocabulary.token(&random))
    case .number(let range, let steps):
      return .real((random.number(range) / steps).rounded() * steps)
    case .integer(let range): return .integer(Int64(random.integer(range)))
    case .boolean(let percent): return .integer(random.chance(percent) ? 1 : 0)
    case .uuid: return .blob(random.uuid())
    case .url: return .text("https://example.org/\(random.below(100_000))?q=caf%C3%A9")
    case .bytes(let hasPrefix): return bytes(hasPrefix: hasPrefix, random: &random)
    case .unique(let type): return uniqueValue(type, of: rowSet, at: index, random: &random)
    case .outbox: return .null
    }
  }

  /// Returns whether the value is NULL: not in the first row, but in the second, later by chance.
  private func isNull(at index: Int, _ random: inout RandomSource) -> Bool {
    guard nullPercent > 0 else { return false }
    let isNull = random.chance(nullPercent)
    return index < 2 ? index == 1 : isNull
  }

  private func uuidValue(_ bytes: [UInt8], asText: Bool) -> Value {
    asText ? .text(uuidTextBytes(bytes)) : .blob(bytes)
  }

  private func serverID(
    of rowSet: RowSet, at index: Int, in fixture: FixturePlan, random: inout RandomSource
  ) -> [UInt8] {
    // The app once stored the row's own ID in place of the server's.
    let id = random.chance(2) ? fixture.id(rowSet, index) : random.uuid()
    return Array(uuidText(id).lowercased().utf8)
  }

  private func bytes(hasPrefix: Bool, random: inout RandomSource) -> Value {
    let count = random.below(64)
    let content = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    // The prefix 1 means that the bytes follow inline (`StoreFormat.md` §13).
    return .blob(hasPrefix ? [1] + content : content)
  }

  private func uniqueValue(
    _ type: AttributeType, of rowSet: RowSet, at index: Int, random: inout RandomSource
  ) -> Value {
    let key = rowSet.key(index)
    if type == .uuid {
      var id = random.uuid()
      // The rows of other entities in the table have the same sequence.
      id[15] ^= UInt8(truncatingIfNeeded: rowSet.offset)
      return .blob(id)
    }
    return switch type {
    case .string: .text("\(random.pick(Vocabulary.names)) \(key)")
    case .uri: .text("https://example.org/\(key)")
    case .double, .float, .decimal, .date: .real(Double(key) + 0.5)
    case .binary, .transformable: .blob(Array(String(key).utf8))
    default: .integer(key)
    }
  }
}

import Platform

/// Tells, in 2 MiB at the most, which entities no event is about.
///
/// A Bloom filter: what it doesn't hold wasn't entered, what it holds may not have been either.
package struct EntityFilter {
  private var entered: [UInt64]
  private var repeated: [UInt64]

  /// The number of the last bit.
  private let lastBit: Int

  /// What the events are about.
  package private(set) var subjects: Set<OutboxSubject> = []

  /// Makes an empty filter.
  ///
  /// Each of its maps has at least eight bits for each event, up to 1 MiB: of the entities of a million events
  /// one in twenty is taken for another. More events than were expected make it less sharp, never wrong.
  package init(expectedCount: Int64) {
    var words = 1 << 7
    while words < 1 << 17, words * 8 < expectedCount { words *= 2 }
    entered = [UInt64](repeating: 0, count: words)
    repeated = entered
    lastBit = words * 64 - 1
  }

  /// Enters the entity of an event.
  package mutating func enter(_ subject: OutboxSubject, _ id: [UInt8]) {
    subjects.insert(subject)
    let places = places(subject, id.span)
    if Self.holds(places, entered) { Self.set(places, &repeated) }
    Self.set(places, &entered)
  }

  /// Returns whether an event may be about an entity.
  package func mayHold(_ subject: OutboxSubject, _ id: Span<UInt8>) -> Bool {
    id.count == 16 && Self.holds(places(subject, id), entered)
  }

  /// Returns whether more than one event may be about an entity.
  package func mayBeRepeated(_ subject: OutboxSubject, _ id: Span<UInt8>) -> Bool {
    Self.holds(places(subject, id), repeated)
  }

  /// Three places of bits, from one hash.
  private func places(_ subject: OutboxSubject, _ id: Span<UInt8>) -> (Int, Int, Int) {
    var hash = UInt64(truncatingIfNeeded: subject.rawValue)
    for index in id.indices {
      hash = hash &<< 8 | hash &>> 56
      hash ^= UInt64(id[index])
      if index & 7 == 7 { hash = mixed(hash) }
    }
    return (
      Int(truncatingIfNeeded: hash) & lastBit, Int(truncatingIfNeeded: hash &>> 20) & lastBit,
      Int(truncatingIfNeeded: hash &>> 40) & lastBit
    )
  }

  private static func holds(_ places: (Int, Int, Int), _ bits: [UInt64]) -> Bool {
    isSet(places.0, bits) && isSet(places.1, bits) && isSet(places.2, bits)
  }

  private static func isSet(_ place: Int, _ bits: [UInt64]) -> Bool {
    bits[place &>> 6] & 1 &<< UInt64(truncatingIfNeeded: place & 63) != 0
  }

  private static func set(_ places: (Int, Int, Int), _ bits: inout [UInt64]) {
    set(places.0, &bits)
    set(places.1, &bits)
    set(places.2, &bits)
  }

  private static func set(_ place: Int, _ bits: inout [UInt64]) {
    bits[place &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: place & 63)
  }
}

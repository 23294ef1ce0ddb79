import Platform

/// A Bloom filter of the entities that events are about, in at most 2 MiB.
///
/// An entity that the filter doesn't hold wasn't entered. An entity that it holds may not have been
/// entered either.
package struct EntityFilter {
  private var entered: [UInt64]
  private var repeated: [UInt64]

  /// The index of the last bit.
  private let lastBit: Int

  /// The subjects of the entered events.
  package private(set) var subjects: Set<OutboxSubject> = []

  /// Creates an empty filter.
  ///
  /// Each of its two bit maps has at least eight bits per event, up to 1 MiB. With a million
  /// events, one entity in twenty is mistaken for another. More events than expected cause more
  /// false positives, but never a false negative.
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

  /// Returns the indices of three bits, from one hash.
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

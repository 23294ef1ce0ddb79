import TestSupport

/// A generator whose numbers can be had again from the seed it prints.
struct SeededRandom: RandomNumberGenerator {
  private var source: SeededGenerator

  init(printing name: String, seed: UInt64 = .random(in: 0 ... .max)) {
    print("\(name): seed \(seed)")
    source = SeededGenerator(seed: seed)
  }

  mutating func next() -> UInt64 { source.next() }

  mutating func bytes(upTo limit: Int) -> [UInt8] {
    let count = Int.random(in: 0...limit, using: &self)
    return (0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &self) }
  }
}

import Foundation
import Platform
import TestSupport
import Testing
import Migrations
import RowRewriting
import StoreProof

/// What `make fuzz` runs for as long as one likes, here on the seeds, on what it has found before, and on
/// a few random changes of both.
///
/// Only here, and more often in `make torture`, stores are also planned, migrated and rolled back: such a run takes too
/// long for a fuzzer to learn from.
@Suite struct FuzzTests {
  private static let corpus = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Corpus").path

  @Test(arguments: FuzzTarget.all.map(\.name))
  func `whatever the bytes are, a reader reads or refuses them`(name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let inputs = try target.inputs(in: Self.corpus)
    try #require(!inputs.isEmpty)
    for (number, input) in inputs.enumerated() {
      #expect(target.problem(input) == nil, "input \(number) of \(name)")
    }
    let seed = printedSeed()
    var random = SeededGenerator(seed: seed)
    let all = ["store": 20, "outbox": 20, "forecast": 20, "run": 3][name, default: 300]
    let many = ["run": 400, "forecast": 5_000][name, default: 10 * all]
    let count = rounds((all + 2) / 3, all: all, torture: many)
    for number in 0..<count {
      let input = random.changed(inputs[number % inputs.count], with: inputs)
      #expect(target.problem(input) == nil, "\(name), seed \(seed), input \(number)")
    }
    print("\(name): \(inputs.count) inputs, \(count) changed ones with seed \(seed)")
  }
}

extension SeededGenerator {
  /// Returns bytes with a few random changes, as fuzzers make them.
  fileprivate mutating func changed(_ bytes: [UInt8], with others: [[UInt8]]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &self) {
      let place = Int.random(in: 0...bytes.count, using: &self)
      let end = min(bytes.count, place + Int.random(in: 1...8, using: &self))
      switch Int.random(in: 0..<6, using: &self) {
      case 0: bytes.removeSubrange(place..<end)
      case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &self), at: place)
      case 3 where place < bytes.count:
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
      case 4 where place < bytes.count:
        bytes[place] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &self) ?? 0
      default:
        let other = others.randomElement(using: &self) ?? []
        bytes.replaceSubrange(place..<end, with: other.suffix(place % 32))
      }
    }
    return bytes
  }
}

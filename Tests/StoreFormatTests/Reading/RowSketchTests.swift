import TestSupport
import Testing

@testable import StoreFormat

@Suite struct RowSketchTests {
  private func sketch(_ rows: Set<RowSketch.Row>) -> RowSketch {
    var sketch = RowSketch()
    for row in rows { sketch.add(row) }
    return sketch
  }

  private func row(_ numbers: inout SeededGenerator, keys: Int) -> RowSketch.Row {
    RowSketch.Row(
      entity: UInt32(numbers.below(3)), key: Int64(numbers.below(keys)), hash: numbers.next())
  }

  @Test func `the difference of two tables is that of their sets`() {
    var silent: [UInt64] = []
    for _ in 0..<40 {
      let seed = printedSeed(below: 100_000)
      var numbers = SeededGenerator(seed: seed)
      let common = Set((0..<numbers.below(3_000)).map { _ in row(&numbers, keys: 10_000) })
      let here = Set((0..<numbers.below(400)).map { _ in row(&numbers, keys: 500) })
        .subtracting(common)
      let there = Set((0..<numbers.below(400)).map { _ in row(&numbers, keys: 500) })
        .subtracting(common).subtracting(here)
      guard
        let difference = sketch(common.union(here)).difference(from: sketch(common.union(there)))
      else {
        silent.append(seed)
        continue
      }
      #expect(difference.onlyHere == here, "seed \(seed)")
      #expect(difference.onlyThere == there, "seed \(seed)")
    }
    // Two rows that share all three of their cells hide each other: one pair in 134 million.
    #expect(silent.count <= 2, "seeds \(silent)")
  }

  @Test func `equal tables differ in nothing, in whatever order their rows come`() {
    var numbers = SeededGenerator(seed: 5)
    let rows = Array(Set((0..<20_000).map { _ in row(&numbers, keys: 100_000) }))
    var forward = RowSketch()
    var backward = RowSketch()
    for row in rows { forward.add(row) }
    for row in rows.reversed() { backward.add(row) }
    #expect(forward == backward)
    #expect(forward.difference(from: backward) == RowSketch.Difference())
    #expect(forward.rows == rows.count)
  }

  @Test func `of too many rows none is made up`() {
    var numbers = SeededGenerator(seed: 6)
    let here = Set((0..<5_000).map { _ in row(&numbers, keys: 100_000) })
    #expect(sketch(here).difference(from: RowSketch()) == nil)
  }

  @Test func `a sketch is read as it was written`() throws {
    var numbers = SeededGenerator(seed: 7)
    let sketch = sketch(Set((0..<700).map { _ in row(&numbers, keys: 1_000) }))
    let bytes = sketch.bytes
    #expect(RowSketch(bytes: bytes, rows: sketch.rows) == sketch)
    #expect(bytes.count < 30_000)
    #expect(RowSketch(bytes: Array(bytes.dropLast()), rows: 1) == nil)
    #expect(RowSketch(bytes: bytes + [0], rows: 1) == nil)
    #expect(RowSketch(bytes: [], rows: 0) == nil)
  }

  @Test func `bytes that no rows made end in nothing, not in a loop`() throws {
    for seed in 0..<200 {
      var numbers = SeededGenerator(seed: UInt64(seed))
      var forged = sketch(Set((0..<20).map { _ in row(&numbers, keys: 50) }))
      // The same row twice, which is no difference of sets.
      let twin = row(&numbers, keys: 50)
      let times = numbers.below(4)
      for _ in 0..<times { forged.add(twin) }
      let isSound = times < 2
      #expect((forged.difference(from: RowSketch()) != nil) == isSound, "seed \(seed)")
    }
  }
}

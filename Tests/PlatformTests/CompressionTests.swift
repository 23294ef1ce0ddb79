import Platform
import TestSupport
import Testing

@Suite struct CompressionTests {
  @Test(arguments: [-1, 0, 1, 9])
  func `bytes come back from a stream of any level`(level: Int) throws {
    var random = SeededGenerator(printing: "compression")
    let samples: [[UInt8]] = [
      [], [0], Array(repeating: 7, count: 1_000_000), random.bytes(upTo: 300_000),
      Array(repeating: Array("plist".utf8), count: 40_000).flatMap { $0 },
    ]
    for bytes in samples {
      let stream = deflateRaw(bytes, level: level)
      #expect(try inflateRaw(stream, limit: bytes.count) == bytes)
    }
  }

  @Test func `a stream written by hand is read`() throws {
    // RFC 1951 §3.2.4: one final stored block of three bytes; §3.2.6: one of the letter "a".
    let stored: [UInt8] = [0x01, 0x03, 0x00, 0xfc, 0xff, 0x61, 0x62, 0x63]
    #expect(try inflateRaw(stored, limit: 3) == Array("abc".utf8))
    #expect(try inflateRaw([0x4b, 0x04, 0x00], limit: 1) == Array("a".utf8))
  }

  @Test func `a bomb is refused before it fills the memory`() {
    let bomb = deflateRaw(Array(repeating: 0, count: 50_000_000), level: 9)
    #expect(bomb.count < 100_000)
    let error = #expect(throws: InflateError.self) { try inflateRaw(bomb, limit: 1_000_000) }
    #expect(error == .tooLarge(limit: 1_000_000))
    #expect(error?.description == "the decompressed data is larger than 1000000 bytes")
  }

  @Test func `a stream that is cut anywhere is refused`() {
    let stream = deflateRaw(Array("a model, a cache, a model cache".utf8))
    for count in 0..<stream.count {
      let error = #expect(throws: InflateError.self) {
        try inflateRaw(Array(stream.prefix(count)), limit: 1000)
      }
      #expect(error == .truncated)
      #expect(error?.description == "the compressed data is truncated")
    }
  }

  @Test func `bytes behind the stream are counted`() {
    let error = #expect(throws: InflateError.self) {
      try inflateRaw(deflateRaw([1, 2, 3]) + [9, 9], limit: 1000)
    }
    #expect(error?.description == "2 extra bytes follow the compressed data")
  }

  @Test(
    arguments: [[0x07], [0xff, 0xff, 0xff], [0x01, 0x03, 0x00, 0x00, 0x00, 0x61]] as [[UInt8]])
  func `a damaged stream is refused`(bytes: [UInt8]) {
    let error = #expect(throws: InflateError.self) { try inflateRaw(bytes, limit: 1000) }
    #expect(error?.description == "the compressed data is damaged")
  }
}

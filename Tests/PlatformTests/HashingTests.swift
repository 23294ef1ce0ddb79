import Testing
import TestSupport

@testable import Platform

@Suite struct HashingTests {
  // The examples of FIPS 180-4, and a million letters.
  @Test(arguments: [
    (
      "", 1,
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    ),
    (
      "abc", 1,
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    ),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "a", 1_000_000,
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `SHA-256 is SHA-256`(text: String, count: Int, expected: String) {
    let bytes = Array(String(repeating: text, count: count).utf8)
    #expect(Hexadecimal.encode(sha256(bytes)) == expected)
  }

  @Test(arguments: [
    (
      "",
      "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
        + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
    ),
    (
      "abc",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
  ])
  func `SHA-512 is SHA-512`(text: String, expected: String) {
    #expect(Hexadecimal.encode(sha512(Array(text.utf8))) == expected)
  }

  @Test func `bytes hash the same in any portions`() {
    var random = SeededGenerator(printing: "hashing")
    for _ in 0..<50 {
      let bytes = random.bytes(upTo: 500)
      var hash = SHA256()
      var longHash = SHA512()
      var rest = bytes[...]
      while !rest.isEmpty {
        let portion = Array(rest.prefix(Int.random(in: 1...100, using: &random)))
        hash.update(portion)
        longHash.update(portion.span)
        rest = rest.dropFirst(portion.count)
      }
      let (short, long) = (hash.finalize(), longHash.finalize())
      #expect(short == sha256(bytes) && long == sha512(bytes))
    }
  }

  @Test(arguments: [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3_000_000])
  func `a file hashes as its bytes do`(count: Int) throws {
    let directory = try TemporaryDirectory()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try FileSystem.create(directory.path("a"), bytes)
    let hash = try FileDescriptor(opening: directory.path("a")).hash(by: .sha256)
    #expect(hash == Hexadecimal.encode(sha256(bytes)))
  }

  // The output of `xxh128sum`.
  @Test(arguments: [
    ("", 1, "99aa06d3014798d86001c324468d497f"), ("abc", 1, "06b05ab6733a618578af5f94892f3950"),
    ("a", 1_000_000, "a545df8e384a9579b1fd6fae5285c4eb"),
  ])
  func `XXH128 is XXH128`(text: String, count: Int, expected: String) throws {
    let directory = try TemporaryDirectory()
    let bytes = Array(String(repeating: text, count: count).utf8)
    try FileSystem.create(directory.path("a"), bytes)
    #expect(try FileDescriptor(opening: directory.path("a")).hash() == expected)
  }

  @Test func `XXH128 in Swift is the library's`() {
    var random = SeededGenerator(printing: "XXH128")
    let lengths = Array(0...1100) + (0..<400).map { _ in Int.random(in: 0...9000, using: &random) }
    for length in lengths {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      var library = XXH128()
      library.update(bytes.span)
      var portable = PortableXXH128()
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = rest.prefix(Int.random(in: 0...3000, using: &random))
        portable.update(Array(part).span)
        rest = rest.dropFirst(part.count)
      }
      let expected = library.finalize()
      let found = portable.digest
      #expect(found == expected, "\(length) bytes")
    }
  }

  @Test func `a file holds what its hash was made of, and nothing else`() throws {
    var random = SeededGenerator(printing: "file hashes")
    let directory = try TemporaryDirectory()
    for round in 0..<40 {
      var bytes = random.bytes(upTo: round % 4 == 0 ? 600_000 : 400) + [1]
      let header = Array(random.bytes(upTo: 100).prefix(bytes.count))
      try FileSystem.create(directory.path("\(round)"), bytes)
      let file = try FileDescriptor(opening: directory.path("\(round)"), for: .updating)
      let hash = try file.hash(replacingHeader: header)
      let counted = header + bytes.dropFirst(header.count)
      var slow = PortableXXH128()
      slow.update(counted.span)
      #expect(hash == Hexadecimal.encode(slow.digest))
      let former = Hexadecimal.encode(sha256(counted))
      #expect(try file.matches(hash, replacingHeader: header))
      #expect(try file.matches(former, replacingHeader: header))
      let index = Int.random(in: 0..<bytes.count, using: &random)
      bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try file.write([bytes[index]], at: Int64(index))
      // The bytes that the header replaces don't matter.
      let isHidden = index < header.count
      #expect(try file.matches(hash, replacingHeader: header) == isHidden)
      #expect(try file.matches(former, replacingHeader: header) == isHidden)
    }
  }

  @Test func `a file that isn't there has no hash`() {
    let error = #expect(throws: SystemError.self) {
      try FileDescriptor(opening: "/nowhere/a").hash()
    }
    #expect(error?.description == "can't open '/nowhere/a': no such file or directory")
  }
}

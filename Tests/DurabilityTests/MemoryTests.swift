import Foundation
import Platform
import SQLite
import TestSupport
import Testing
import OutboxConversion
import StoreProof

/// Memory doesn't grow with the number of rows.
@Suite struct MemoryTests {
  /// Runs the tool and returns the largest part of the memory that it had, in KiB, as Linux counts it.
  private func peak(of arguments: [String]) throws -> Int? {
    let tool = try #require(Programs.tool)
    // The last look before the end is close to it, and the peak isn't at the end.
    let script = """
      "$@" > /dev/null & while kill -0 $! 2> /dev/null; do sleep 0.01
      while read -r name value unit; do [ "$name" = VmHWM: ] && peak=$value; done < /proc/$!/status
      done 2> /dev/null; wait $! && echo "$peak"
      """
    let ending = try Programs.run(["sh", "-c", script, "sh", tool] + arguments)
    try #require(ending.status == 0, "\(ending.message)")
    return Int(ending.output.dropLast())
  }

  private func makeStore(_ rows: Int, in folder: TemporaryDirectory) throws -> String {
    let path = folder.path("default.store")
    let words = ["fixture", "create", "lume", "V6", path, "--rows", "\(rows)"]
    try #require(try Programs.run([try #require(Programs.tool)] + words).status == 0)
    return path
  }

  private func peaks(_ folder: TemporaryDirectory, _ store: String) throws -> [Int] {
    guard try FileSystem.exists("/proc/self/status") else { return [] }
    return [
      try peak(of: ["apply", store, "--user-id", Scenario.owner]),
      try peak(of: ["verify", store, "--receipt"]),
    ].compactMap(\.self)
  }

  @Test func `more rows take no more memory`() throws {
    let (few, many) = (try TemporaryDirectory(), try TemporaryDirectory())
    let small = try peaks(few, makeStore(8_000, in: few))
    // Both fill the page caches of SQLite.
    let large = try peaks(many, makeStore(16_000, in: many))
    print("peaks in KiB: \(small) with 8,000 rows, \(large) with 16,000")
    for (small, large) in zip(small, large) { #expect(large < small + 4 << 10) }
  }

  @Test func `a large value takes four times its size`() throws {
    let folder = try TemporaryDirectory()
    let store = try makeStore(8, in: folder)
    let size = 24 << 20
    // Its text in base64 is a value, too, and larger.
    let largest = size / 3 * 4
    do {
      let connection = try Connection(path: store, mode: .readWrite)
      try connection.execute(
        "UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = randomblob(\(size)) WHERE Z_PK = 3")
    }
    let peaks = try peaks(folder, store)
    print("peaks in KiB with a value of \(largest >> 10): \(peaks)")
    for peak in peaks { #expect(peak < 64 << 10 + 4 * largest >> 10) }
  }
}

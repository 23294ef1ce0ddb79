import Platform
import Testing

@Suite struct ProcessTests {
  @Test func `the process knows itself`() {
    #expect(processID > 0)
  }

  @Test func `an error names the call, the file and the reason`() {
    #expect(
      SystemError(code: 13, call: "open", path: "x.store").description
        == "can't open 'x.store': permission denied")
    #expect(SystemError(code: 28, call: "write").isFull)
  }

  @Test func `embedded files are ordered and found by path`() {
    let paths = EmbeddedFile.all.map(\.path)
    #expect(paths == paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    for file in EmbeddedFile.all { #expect(EmbeddedFile.bytes(at: file.path) == file.bytes) }
    #expect(EmbeddedFile.bytes(at: "none") == nil)
  }
}

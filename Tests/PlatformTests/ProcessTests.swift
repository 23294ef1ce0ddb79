import Platform
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct ProcessTests {
  @Test func `the process knows itself`() {
    #expect(processID > 0)
    #expect(environment("PATH") != nil)
    #expect(environment("OUTBOX_MIGRATE_NO_SUCH_VARIABLE") == nil)
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

  @Test func `a pipe that nobody reads doesn't end the process`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      ignoreWriteSignals()
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      close(ends[0])
      dup2(ends[1], 1)
      let error = #expect(throws: SystemError.self) { try StandardStream.output.write([1]) }
      exit(error?.isBrokenPipe == true ? 7 : 1)
    }
  }
}

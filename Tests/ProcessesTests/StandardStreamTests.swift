import Platform
import Processes
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct StandardStreamTests {
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

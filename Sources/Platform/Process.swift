import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The number of this process.
public var processID: Int32 { getpid() }

/// Returns the value of an environment variable.
///
/// Nothing in the project changes the environment, which would race with this.
public func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

/// Returns random bytes, fit for names and identifiers that nobody must guess.
public func randomBytes(_ count: Int) throws(SystemError) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  var filled = 0
  while filled < count {
    // Darwin's getentropy gives at most 256 bytes a call, and Linux interrupts none so short.
    let next = min(256, count - filled)
    try attempt("read random bytes") {
      bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { getentropy($0 + filled, next) } ?? 0
      }
    }
    filled += next
  }
  return bytes
}

/// The most memory this process has had in use at a time, in bytes.
public var peakResidentBytes: Int64 {
  var usage = rusage()
  #if canImport(Darwin)
    getrusage(RUSAGE_SELF, &usage)
    return Int64(usage.ru_maxrss)
  #else
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int64(usage.ru_maxrss) * 1024
  #endif
}

/// Lets writing to a pipe that nobody reads fail, where it would end the process.
public func ignoreBrokenPipe() {
  signal(SIGPIPE, SIG_IGN)
}

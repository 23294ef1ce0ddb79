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

/// Lets writing to a pipe that nobody reads fail, where it would end the process.
public func ignoreBrokenPipe() {
  signal(SIGPIPE, SIG_IGN)
}

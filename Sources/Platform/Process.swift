import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// The number of this process.
package var processID: Int32 { getpid() }

/// Returns the value of an environment variable.
///
/// Nothing in the project changes the environment, which would race with this.
package func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

/// Has this process killed when the thread ends that started it, with its own process at the latest.
///
/// The corresponding call is `prctl` with `PR_SET_PDEATHSIG`; where there is none, nothing happens. The signal
/// is `SIGKILL`, as others may be blocked.
package func endWithParent() { cplatform_end_with_parent() }

/// Lets writing to a pipe that nobody reads fail, where it would end the process.
package func ignoreBrokenPipe() {
  signal(SIGPIPE, SIG_IGN)
}

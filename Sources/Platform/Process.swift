import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The process ID of this process.
package var processID: Int32 { getpid() }

/// The effective user ID of this process; 0 is root.
package var effectiveUserID: UInt32 { geteuid() }

/// Returns the value of an environment variable, or `nil` if it isn't set.
///
/// Only ``removeFromEnvironment(_:)`` changes the environment, because that races with reads.
package func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

/// Removes environment variables; call it before other threads start.
package func removeFromEnvironment(_ names: [String]) {
  for name in names { unsetenv(name) }
}

/// Makes the system kill this process when the thread that started it ends.
///
/// The corresponding call is `prctl` with `PR_SET_PDEATHSIG`; on systems without it, nothing
/// happens. The signal is `SIGKILL`, because it can't be blocked.
package func endWithParent() { cplatform_end_with_parent() }

/// Makes writing to a pipe without a reader fail with `EPIPE` instead of ending the process.
///
/// Writing beyond the limit of a file's size (`ulimit -f`) fails with `EFBIG`.
package func ignoreWriteSignals() {
  signal(SIGPIPE, SIG_IGN)
  signal(SIGXFSZ, SIG_IGN)
}

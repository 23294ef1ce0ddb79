import CProcesses

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Makes the system kill this process when the thread that started it ends.
///
/// The corresponding call is `prctl` with `PR_SET_PDEATHSIG`; on systems without it, nothing
/// happens. The signal is `SIGKILL`, because it can't be blocked.
package func endWithParent() { cprocesses_end_with_parent() }

/// Makes writing to a pipe without a reader fail with `EPIPE` instead of ending the process.
///
/// Writing beyond the limit of a file's size (`ulimit -f`) fails with `EFBIG`.
package func ignoreWriteSignals() {
  signal(SIGPIPE, SIG_IGN)
  signal(SIGXFSZ, SIG_IGN)
}

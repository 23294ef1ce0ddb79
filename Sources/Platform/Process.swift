#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The process ID of this process.
package var processID: Int32 { getpid() }

/// The effective user ID of this process; 0 is root.
package var effectiveUserID: UInt32 { geteuid() }

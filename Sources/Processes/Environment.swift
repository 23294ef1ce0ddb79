#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Returns the value of an environment variable, or `nil` if it isn't set.
///
/// Nothing changes the environment, because that races with reads.
package func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

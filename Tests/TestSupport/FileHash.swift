package import Platform

/// Returns the SHA-256 of a file's bytes, read at once.
package func sha256(ofFile path: String) throws(SystemError) -> [UInt8] {
  sha256(try FileSystem.read(path))
}

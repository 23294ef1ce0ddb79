/// An open file that several threads read at independent offsets.
///
/// The file closes when the last reference is released.
package final class SharedFile: Sendable {
  /// The file.
  package let descriptor: FileDescriptor

  /// Takes ownership of an open file.
  package init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}

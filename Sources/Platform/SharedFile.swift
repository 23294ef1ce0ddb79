/// An open file that several threads read, each from wherever it likes.
///
/// It closes when the last of them lets go of it.
package final class SharedFile: Sendable {
  /// The file.
  package let descriptor: FileDescriptor

  /// Takes over an open file.
  package init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}

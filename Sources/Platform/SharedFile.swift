/// An open file that several threads read, each from wherever it likes.
///
/// It closes when the last of them lets go of it.
public final class SharedFile: Sendable {
  /// The file.
  public let descriptor: FileDescriptor

  /// Takes over an open file.
  public init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}

/// How much there is already of a file that one thread writes and another one reads.
public final class FileGrowth: Sendable {
  /// The bytes that are there, from the beginning on; all there will ever be, where it is the highest number.
  private let count = Guarded<Int64>(0)

  /// Begins with nothing.
  public init() {}

  /// Says how many bytes are there.
  public func reach(_ newCount: Int64) { count.withLock { $0 = newCount } }

  /// Says that no more will come: whoever waits needn't any more.
  public func end() { reach(.max) }

  /// Waits until as many bytes are there, or no more will come.
  public func wait(until needed: Int64) { count.withLock(when: { $0 >= needed }) { _ in } }
}

import Foundation
import OutboxCore
import OutboxTesting

extension ManualClock {
  /// Lets seconds pass while a processor runs.
  ///
  /// The clock moves on when the processor's two loops, and all its attempts, wait for it.
  func advance(by seconds: TimeInterval, for processor: OutboxProcessorService) async {
    await advance(by: seconds) {
      guard let state = try? await processor.state(), state.isProcessing else { return false }
      return state.eventsInProgress > sleeperCount - 2
    }
  }
}

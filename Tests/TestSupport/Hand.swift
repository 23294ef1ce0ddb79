package import Foundation
import Synchronization

/// A clock's hand that tests move.
package final class Hand: Sendable {
  private let moment: Mutex<Date>

  package init(_ date: Date = Date(timeIntervalSinceReferenceDate: 800_000_000)) {
    moment = Mutex(date)
  }

  package var now: Date { moment.withLock { $0 } }

  package func advance(by seconds: TimeInterval) {
    moment.withLock { $0.addTimeInterval(seconds) }
  }
}

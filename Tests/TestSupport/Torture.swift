import Foundation

/// Whether long tests try everything, as `make torture` asks for.
package let isTorture = ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_TORTURE"] != nil

/// Returns how often to repeat a random test: a few times, or more often in `make torture`.
package func rounds(_ few: Int, torture many: Int) -> Int { isTorture ? many : few }

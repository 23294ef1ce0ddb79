import Foundation

/// Whether long tests try everything, as `make torture` asks for.
package let isTorture = ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_TORTURE"] != nil

/// Whether the tests try every case, as `make test-all` and `make torture` ask for.
package let triesAll =
  isTorture || ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_TEST_ALL"] != nil

/// Returns how often to repeat a random test.
///
/// - Parameters:
///   - few: The number in `make test`.
///   - all: The number in `make test-all`; `nil` for `few`.
///   - many: The number in `make torture`; `nil` for that of `make test-all`.
/// - Returns: The number.
package func rounds(_ few: Int, all: Int? = nil, torture many: Int? = nil) -> Int {
  let all = all ?? few
  return isTorture ? many ?? all : triesAll ? all : few
}

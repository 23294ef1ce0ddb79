import Foundation

/// Returns a seed for a test's random numbers, and prints it.
///
/// `OUTBOX_MIGRATE_SEED` gives the seed instead, to repeat a run that failed.
///
/// - Parameters:
///   - name: What the numbers are for.
///   - bound: What the seed is below.
/// - Returns: The seed.
package func printedSeed(_ name: String = #function, below bound: UInt64 = .max) -> UInt64 {
  let given = ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_SEED"].flatMap(UInt64.init)
  let seed = given ?? UInt64.random(in: 0..<bound)
  print("\(name): seed \(seed)")
  return seed
}

import Foundation

/// Whether the tests try every case, as `make test-all` and `make torture` ask for.
private let triesAll =
  isTorture || ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_TEST_ALL"] != nil

/// Returns a few elements, spread over all, that differ from run to run.
///
/// In `make test-all` and `make torture`, these are all elements. Otherwise a line says how many
/// there are, and the seed.
///
/// - Parameters:
///   - few: How many to return; greater than 0.
///   - all: The elements to choose from.
///   - name: What the line begins with.
/// - Returns: The elements, in their order.
package func sample<Element>(
  _ few: Int, of all: [Element], _ name: String = #fileID
) -> [Element] {
  if triesAll || all.count <= few { return all }
  var random = SeededGenerator(seed: printedSeed("\(name): \(few) of \(all.count)", below: 100_000))
  let start = Int(random.number(UInt64(all.count)))
  return (0..<few).map { (start + $0 * all.count / few) % all.count }.sorted().map { all[$0] }
}

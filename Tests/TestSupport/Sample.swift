/// Returns a few elements, spread over all, that differ from run to run.
///
/// A line says how many elements there are, and the seed.
///
/// - Parameters:
///   - few: How many to return; greater than 0.
///   - all: The elements to choose from.
///   - isWhole: Whether to return all; by default in `make test-all` and `make torture`.
///   - name: What the line begins with.
/// - Returns: The elements, in their order.
package func sample<Element>(
  _ few: Int, of all: [Element], unless isWhole: Bool = triesAll, _ name: String = #fileID
) -> [Element] {
  if isWhole || all.count <= few { return all }
  var random = SeededGenerator(seed: printedSeed("\(name): \(few) of \(all.count)", below: 100_000))
  let start = Int(random.number(UInt64(all.count)))
  return (0..<few).map { (start + $0 * all.count / few) % all.count }.sorted().map { all[$0] }
}

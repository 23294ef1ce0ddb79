/// Returns a number with a word in singular or plural: `1 row`, `3 rows`.
package func counted(_ count: some BinaryInteger, _ one: String, _ many: String) -> String {
  "\(count) \(count == 1 ? one : many)"
}

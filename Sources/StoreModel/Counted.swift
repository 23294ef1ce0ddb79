/// Returns a count with a singular or plural noun: `1 row`, `3 rows`.
package func counted(_ count: some BinaryInteger, _ one: String, _ many: String) -> String {
  "\(count) \(count == 1 ? one : many)"
}

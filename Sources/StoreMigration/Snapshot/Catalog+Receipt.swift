import Migrations
import StoreExchange

extension Catalog {
  /// Returns whether migrations of a run are missing, so that their folder has to be given.
  ///
  /// A receipt that can't be read names none. An inferred migration has no file, and no checksum.
  func lacksMigrations(of receipt: Receipt) -> Bool {
    guard let details = try? RunDetails(receipt.details) else { return false }
    let known = Set((catalog(of: receipt.app)?.migrations ?? []).map(\.name))
    return details.migrations.contains { !$0.value.isEmpty && !known.contains($0.key) }
  }
}

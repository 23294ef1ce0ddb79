import StoreModel
import Migrations
import StoreProof

extension Route {
  /// The error for a request of deliverable rows that this route doesn't have.
  var noDelivery: RequestError { .noDelivery(app: target.app, to: target.name) }

  /// Throws if deliverable rows are requested for FitIQ, even if there is nothing to migrate.
  ///
  /// FitIQ's models are recognised by the entity `SDProgressEntry`.
  func check(_ rows: MigrationRequest.Rows) throws(RequestError) {
    guard rows == .deliverable, target.model["SDProgressEntry"] != nil else { return }
    throw noDelivery
  }
}

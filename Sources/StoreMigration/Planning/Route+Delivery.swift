import StoreModel
import Migrations
import StoreProof

extension Route {
  /// What refuses to write rows in the form that the app sends.
  var noDelivery: RequestError { .noDelivery(app: target.app, to: target.name) }

  /// Refuses to write rows of FitIQ's in another form, also where there is nothing else to do.
  func check(_ rows: MigrationRequest.Rows) throws(RequestError) {
    guard rows == .deliverable, target.model["SDProgressEntry"] != nil else { return }
    throw noDelivery
  }
}

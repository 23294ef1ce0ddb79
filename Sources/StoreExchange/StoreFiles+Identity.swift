import Platform
import StoreFormat

extension StoreFiles {
  /// The identity of the file at the store's path.
  var identity: FileIdentity {
    get throws(SystemError) { try openFolder().status(of: name).identity }
  }
}

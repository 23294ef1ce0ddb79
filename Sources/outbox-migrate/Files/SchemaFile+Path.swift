import StoreMigration
import JSONText
import Platform
import StoreModel

extension SchemaFile {
  /// Reads the schema file at a path.
  init(at path: String) throws(Failure) {
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.read(path, limit: JSONNode.defaultMaximumByteCount)
    } catch {
      throw error.isNotFound
        ? Failure(.noStore, "there is no schema file '\(path)'; check the path")
        : Failure(.ioError, error.description)
    }
    do {
      try self.init(parsing: bytes, file: path)
    } catch {
      throw Failure(error)
    }
  }
}

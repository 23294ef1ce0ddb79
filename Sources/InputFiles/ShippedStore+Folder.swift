import Platform
package import StoreMigration
import StoreModel
package import SwiftModels

extension ShippedStore {
  /// Reads the models of all stores in a folder and in its folders.
  ///
  /// - Throws: A ``Failure`` if the folder can't be listed, or if a store can't be read.
  package static func all(
    in folder: String, _ migrator: StoreMigrator, depth: Int = 0
  ) throws(Failure) -> [ShippedStore] {
    let names: [String]
    do {
      names = try FileSystem.list(folder)
    } catch {
      throw error.isNotFound
        ? Failure(.noStore, "there is no folder '\(folder)'; check the path")
        : Failure(.ioError, "\(error); check the folder")
    }
    var stores: [ShippedStore] = []
    for name in names {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      guard let kind = try? FileStatus(of: path, followingLinks: false).kind else { continue }
      if kind == .directory, depth < 8 {
        stores += try all(in: path, migrator, depth: depth + 1)
      }
      guard kind == .regular, StorePath.isDatabase(path) else { continue }
      do throws(MigrationError) {
        stores.append(ShippedStore(path: path, model: try migrator.capture(path).model))
      } catch {
        throw Failure(error)
      }
    }
    return stores
  }
}

import JSONText
import Platform
import StoreMigration
import Migrations

extension Catalog {
  /// Creates a catalog of the bundled files, extended or replaced by those of a folder.
  package init(folder: String?) throws(Failure) {
    guard let folder else {
      self = .bundled
      return
    }
    let files = try Self.files(in: folder)
    do {
      self = Catalog.bundled.merging(try Catalog(files: files))
    } catch {
      let isForeign = error.description.hasSuffix("key 'format_version' is missing")
      throw isForeign
        ? Failure(
          .badFile,
          "\(error); '--migrations' reads every '.json' in its folder, so give the files of "
            + "migrations a folder of their own", hasPosition: true)
        : Failure(error)
    }
  }

  private static func files(in folder: String) throws(Failure) -> [MigrationFileSet.File] {
    do {
      return try MigrationFolder(path: folder).files()
    } catch {
      throw error.isNotFound && (try? FileSystem.exists(folder)) != true
        ? Failure(.noStore, "there is no folder '\(folder)'; check '--migrations'")
        : Failure(.ioError, "\(error); check '--migrations'")
    }
  }
}

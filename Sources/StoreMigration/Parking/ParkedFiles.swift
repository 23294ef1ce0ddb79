import JSONText
import Migrations
import OutboxConversion
import Platform
import StoreFormat
import StoreExchange
import StoreModel

/// The files of parked values beside a store, by whether they are for a version.
struct ParkedFiles {
  /// The names of the files for the version.
  private(set) var names: [String] = []

  /// The number of values and rows in these files.
  private(set) var count: Int64 = 0

  /// Notes about the other files.
  private(set) var notes: [String] = []

  /// Reads the files beside a store.
  ///
  /// A damaged file stays where it is.
  ///
  /// - Throws: A `SystemError` if a file can't be read: the run can be repeated when it can.
  /// - Complexity: O(*n*) in the bytes of the files.
  init(beside files: StoreFiles, for target: ModelVersion) throws {
    for name in try files.parkedFiles {
      do {
        let (header, count) = try ParkedValues.content(of: files.parkedFile(name))
        if header.app.isSameApp(as: target.app) && header.from == target.name {
          names.append(name)
          self.count += count
        } else {
          notes.append("'\(name)' is for \(header.app) \(header.from) and stays parked")
        }
      } catch let error as JSONError {
        notes.append(
          "'\(name)' can't be read at line \(error.position.line) and is left unchanged")
      }
    }
  }

  /// What `apply` will do with the files, as warnings of a plan.
  var warnings: [PlanWarning] {
    let back = counted(count, "parked value or row", "parked values or rows")
    let found =
      names.isEmpty
      ? [] : ["'apply' restores \(back) of an earlier rollback, as far as they still fit"]
    return (found + notes).map { PlanWarning(code: "parked", rows: 0, message: $0) }
  }
}

extension StoreFiles {
  /// Returns a file of parked values beside the store.
  func parkedFile(_ name: String) -> NestedFile { NestedFile(in: folder, name: name) }
}

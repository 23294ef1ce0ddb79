import JSONText
import Platform
import Processes
package import StoreMigration

extension StoreMigrator {
  /// Migrates a copy of a fixture's store, compares its rows with the expected rows, and rolls
  /// back.
  ///
  /// No byte of the folder changes.
  ///
  /// - Returns: A report with the differences of rows.
  /// - Throws: A ``FixtureFolderError`` if the store can't be migrated, or if the rolled-back store
  ///   differs from the original.
  /// - Complexity: O(n) in the number of rows.
  package func check(_ fixture: FixtureFolder) throws(FixtureFolderError) -> FixtureReport {
    let isExpected: Bool
    do {
      isExpected = try FileSystem.exists(fixture.expected)
    } catch {
      throw .system(error)
    }
    guard isExpected else { throw .noExpectation(fixture.path) }
    return try run(fixture, .comparing)
  }

  /// Does the same as ``check(_:)``, but writes the rows to the folder as the expected rows.
  ///
  /// - Throws: A ``FixtureFolderError``. The expected rows are then unchanged.
  package func record(_ fixture: FixtureFolder) throws(FixtureFolderError) -> FixtureReport {
    try run(fixture, .recording)
  }

  private func run(
    _ fixture: FixtureFolder, _ purpose: FixtureRun.Purpose
  ) throws(FixtureFolderError) -> FixtureReport {
    do {
      let folder = try FileSystem.resolve(
        FileSystem.createTemporaryDirectory(prefix: "outbox-migrate"))
      // The system cleans up its temporary folder if this fails.
      defer { try? FileSystem.removeTree(folder) }
      // Recorded rows that didn't replace the expected ones are of no use.
      defer { if purpose == .recording { _ = try? FileSystem.removeIfPresent(fixture.draft) } }
      return try FixtureRun(fixture: fixture, migrator: self, purpose: purpose, folder: folder)
        .carryOut()
    } catch let error as FixtureFolderError {
      throw error
    } catch let error as JSONError {
      throw .file(error)
    } catch let error as SystemError {
      throw .system(error)
    } catch {
      let error = MigrationError(wrapping: error, path: fixture.store)
      throw .failed(fixture.path, .read, reason: error.description, .verificationFailed)
    }
  }
}

import JSONText
import Platform

extension StoreMigrator {
  /// Takes a copy of a fixture's store through its migration and back.
  ///
  /// The rows between are compared with those that its folder expects.
  ///
  /// The folder is left byte for byte as it was.
  ///
  /// - Throws: A ``FixtureFolderError`` if the store can't be migrated, or isn't after the rollback
  ///   what it was before; what the rows differ in is in the report.
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

  /// Does the same, but writes the rows into the folder as those that are expected from now on.
  ///
  /// - Throws: A ``FixtureFolderError``; the expected rows are then as they were.
  package func record(_ fixture: FixtureFolder) throws(FixtureFolderError) -> FixtureReport {
    try run(fixture, .recording)
  }

  private func run(
    _ fixture: FixtureFolder, _ purpose: FixtureRun.Purpose
  ) throws(FixtureFolderError) -> FixtureReport {
    do {
      let folder = try FileSystem.resolve(
        FileSystem.createTemporaryDirectory(prefix: "outbox-migrate"))
      // What can't be removed is left to the system's own cleaning.
      defer { try? FileSystem.removeTree(folder) }
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

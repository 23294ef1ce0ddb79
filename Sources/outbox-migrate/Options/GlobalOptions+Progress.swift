import Migrations
import Platform
import StoreFormat
import StoreMigration
import TerminalOutput

extension GlobalOptions {
  /// Returns the display of a command's progress.
  ///
  /// A terminal shows it, unless its output is to be plain or read by a program.
  ///
  /// - Parameters:
  ///   - paths: The paths of the stores, as typed.
  ///   - outline: The phases of the work.
  ///   - rows: The number of rows; `nil` to count those of the stores if events need it.
  ///   - terminal: The terminal to show it on.
  /// - Returns: The display, which shows nothing if nobody asked for it.
  func display(
    of paths: [String], _ outline: WorkOutline, rows: Int64? = nil, in terminal: Terminal
  ) -> ProgressDisplay {
    let form: ProgressDisplay.Form? = progress ? .lines : hasBar(terminal) ? .bar : nil
    let files = paths.flatMap { [$0, StoreFiles(path: $0).wal] }
    let size =
      outline.hashedBytes
      ?? files.reduce(Int64(0)) { $0 + ((try? FileStatus(of: $1).size) ?? 0) }
    let countsRows = form == .lines && outline.hashedBytes == nil
    return ProgressDisplay(
      form, on: terminal.error, of: paths.first ?? "", outline, size: size,
      rows: rows ?? (countsRows ? Self.rowCount(of: paths) : nil))
  }

  /// Returns whether a terminal shows a bar.
  func hasBar(_ terminal: Terminal) -> Bool {
    terminal.error.isTerminal && !json && !noColor && !terminal.forbidsColor
  }

  /// Counts the rows of stores; `nil` if one can't be read.
  private static func rowCount(of paths: [String]) -> Int64? {
    let migrator = StoreMigrator(catalog: Catalog(versions: [], migrations: []))
    var count: Int64 = 0
    for path in paths {
      guard let report = try? migrator.status(of: path) else { return nil }
      count += report.entities.reduce(0) { $0 + ($1.rows ?? 0) }
    }
    return count
  }
}

extension WorkOutline {
  /// Compares the newest snapshots of a store with their receipts.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - count: The number of snapshots; `nil` for all.
  /// - Returns: The outline.
  static func checkSnapshots(of path: String, newest count: Int? = nil) -> WorkOutline {
    let migrator = StoreMigrator(catalog: Catalog(versions: [], migrations: []))
    let snapshots = (try? migrator.snapshots(of: path).snapshots) ?? []
    return .checkSnapshots(
      bytes: snapshots.suffix(count ?? snapshots.count).reduce(0) { $0 + $1.bytes })
  }
}

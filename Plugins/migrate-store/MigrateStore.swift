import Foundation
import PackagePlugin

/// Runs `outbox-migrate` with the words after `swift package migrate-store`.
///
/// Paths are relative to the package's folder.
@main struct MigrateStore: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let process = Process()
    process.executableURL = try context.tool(named: "outbox-migrate").url
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    let isExit = process.terminationReason == .exit
    guard isExit && process.terminationStatus == 0 else {
      // The tool has said on standard error what is wrong. Shells add 128 to a signal's number.
      throw Stopped(status: process.terminationStatus + (isExit ? 0 : 128))
    }
  }
}

/// The error for a status that isn't 0.
struct Stopped: Error, CustomStringConvertible {
  let status: Int32
  var description: String { "outbox-migrate ended with status \(status)" }
}

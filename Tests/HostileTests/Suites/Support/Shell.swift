import Foundation
import TestSupport
import Migrations

/// Runs the built program as its users do, in a shell and in a folder.
struct Shell {
  /// The folder that the program was built in.
  let programs: String
  let folder: String

  init?(in folder: TemporaryDirectory) {
    guard let programs = builtPrograms else {
      print("skipped: the programs aren't built")
      return nil
    }
    self.programs = programs
    self.folder = folder.path
  }

  /// Runs a script, in which `outbox-migrate` is the built program.
  func run(
    _ script: String, _ environment: [String: String] = [:]
  ) throws -> (status: Int32, text: String) {
    try runToEnd(
      ["/bin/sh", "-c", script], in: folder,
      environment: [
        "PATH": "\(programs):/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C", "TMPDIR": folder,
        // A crash is told by its signal; a picture of it would take long.
        "SWIFT_BACKTRACE": "enable=no",
      ].merging(environment) { $1 })
  }

  /// A Boolean value indicating whether the user is root, who can be somebody else and mount disks.
  static let isRoot = geteuid() == 0
}

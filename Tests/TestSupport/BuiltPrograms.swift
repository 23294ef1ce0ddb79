import Foundation

/// The directory of the programs, or `nil` if the tool isn't there.
///
/// By default the test bundle's; `OUTBOX_MIGRATE_TOOLS` names another one, so that long tests run release builds.
package let builtPrograms: String? = {
  if let folder = ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_TOOLS"] { return folder }
  let bundles = [Bundle.main] + Bundle.allBundles
  let folders = bundles.flatMap { bundle in
    [
      bundle.bundleURL.deletingLastPathComponent(),
      bundle.executableURL?.deletingLastPathComponent(),
    ]
  }
  return folders.compactMap { $0?.path }.first {
    FileManager.default.isExecutableFile(atPath: $0 + "/outbox-migrate")
  }
}()

#if canImport(SwiftUI) && canImport(SwiftData)
  import Foundation
  import Observation
  import OSLog
  import StoreMigration
  import StoreUpgrade
  import SwiftData
  import Synchronization

  /// What happens between the start of the app and its first view.
  @MainActor @Observable
  final class Launch {
    enum State {
      /// The store is opened; it is upgraded first if there is a phase.
      case working(ApplyPhase?)
      case ready(ModelContainer)
      case failed(String)
    }

    private(set) var state = State.working(nil)

    @ObservationIgnored private var task: Task<Void, Never>?

    private let log = Logger(subsystem: "org.example.bookshelf", category: "launch")

    /// Upgrades the store, then opens it, once for all windows.
    ///
    /// An upgrade that was cancelled starts over, unless the calling task is cancelled: views do that
    /// when the app goes to the background.
    func start() async {
      while case .working = state, !Task.isCancelled {
        let task = task ?? Task { await upgradeAndOpen() }
        self.task = task
        await task.value
        if case .working = state { try? await Task.sleep(for: .seconds(1)) }
      }
    }

    func retry() { (state, task) = (.working(nil), nil) }

    private func upgradeAndOpen() async {
      let models = Schema([Shelf.self, Volume.self], version: Schema.Version(2, 0, 0))
      // The store that the app has always had; in an app group, it is in the group's container.
      let configuration = ModelConfiguration(schema: models, cloudKitDatabase: .none)
      let outcome = await Self.upgrade(configuration.url) { phase in
        Task { @MainActor in
          if case .working = self.state { self.state = .working(phase) }
        }
      }
      switch outcome {
      case .current, .upgraded: open(models, configuration)
      case .diskFull(let bytes):
        let size = bytes.formatted(.byteCount(style: .file))
        state = .failed("Free \(size) of storage, then try again.")
      case .busy: state = .failed("Your books are in use. Try again in a moment.")
      case .cancelled: (state, task) = (.working(nil), nil)
      case .failed(let reason):
        // The reason has no values of rows, so it may be in a log.
        log.error("The store wasn't upgraded: \(reason, privacy: .public)")
        state = .failed("Your books are safe, but this version of the app can't read them.")
      }
    }

    private func open(_ models: Schema, _ configuration: ModelConfiguration) {
      do {
        state = .ready(try ModelContainer(for: models, configurations: configuration))
      } catch {
        // Whether the text of this error has values isn't known, so it stays private.
        log.error("The store wasn't opened: \(String(describing: error))")
        state = .failed("Your books are safe, but this version of the app can't read them.")
      }
    }

    @concurrent
    private static func upgrade(
      _ store: URL, progress: @escaping @Sendable (ApplyPhase) -> Void
    ) async -> StoreUpgrader.Outcome {
      #if os(iOS)
        // The system kills a suspended app that has a lock in an app group. While the block runs, it
        // suspends the app only if the time runs out. It says so by a second call of the block; the
        // upgrade ends then, with the old store. The first call says so if there is no time at all.
        let isExpired = Mutex(false)
        return await withCheckedContinuation { continuation in
          let calls = Mutex(0)
          ProcessInfo.processInfo.performExpiringActivity(withReason: "Upgrading the store") {
            isExpiring in
            isExpired.withLock { $0 = $0 || isExpiring }
            let isFirst = calls.withLock { calls in
              calls += 1
              return calls == 1
            }
            guard isFirst else { return }
            let isCancelled: @Sendable () -> Bool = { isExpired.withLock(\.self) }
            continuation.resume(
              returning: isCancelled() ? .cancelled : upgradeNow(store, progress, isCancelled))
          }
        }
      #else
        upgradeNow(store, progress) { false }
      #endif
    }

    private nonisolated static func upgradeNow(
      _ store: URL, _ progress: (ApplyPhase) -> Void,
      _ isCancelled: @escaping @Sendable () -> Bool
    ) -> StoreUpgrader.Outcome {
      guard let migrations = Bundle.module.url(forResource: "Migrations", withExtension: nil) else {
        return .failed("The app lacks its migrations.")
      }
      do {
        // A book stands on its shelf by its link; the shelf's name in the book isn't needed.
        let upgrader = try StoreUpgrader(
          store: store, migrations: migrations, acceptedLosses: ["V1-V2:Book.shelfName"])
        let outcome = upgrader.run(progress: progress, isCancelled: isCancelled)
        // The app has worked with the new store since an earlier start.
        if outcome == .current { upgrader.pruneSnapshots() }
        return outcome
      } catch {
        return .failed("\(error)")
      }
    }
  }
#endif

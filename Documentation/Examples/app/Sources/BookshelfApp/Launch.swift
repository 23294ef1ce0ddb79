#if canImport(SwiftUI) && canImport(SwiftData)
  import Foundation
  import Observation
  import StoreUpgrade
  import SwiftData
  import Synchronization

  /// What happens between the start of the app and its first view.
  @MainActor @Observable
  final class Launch {
    enum State {
      case working(String)
      case ready(ModelContainer)
      case failed(String, canRetry: Bool)
    }

    private(set) var state = State.working("Opening your books…")

    @ObservationIgnored private var task: Task<Void, Never>?

    /// Upgrades the store, then opens it, once for all windows.
    func start() async {
      let task = task ?? Task { await upgradeAndOpen() }
      self.task = task
      await task.value
    }

    func retry() {
      task = nil
      state = .working("Opening your books…")
    }

    private func upgradeAndOpen() async {
      let models = Schema([Shelf.self, Volume.self], version: Schema.Version(2, 0, 0))
      // The store that the app has always had; in an app group, it is in the group's container.
      let configuration = ModelConfiguration(schema: models, cloudKitDatabase: .none)
      let outcome = await Self.upgrade(configuration.url) { phase in
        Task { @MainActor in
          guard case .working = self.state else { return }
          self.state = .working("Preparing your books: \(phase)…")
        }
      }
      switch outcome {
      case .current, .upgraded: open(models, configuration)
      case .diskFull(let bytes):
        let size = bytes.formatted(.byteCount(style: .file))
        state = .failed("Free \(size) of storage, then try again.", canRetry: true)
      case .busy: state = .failed("Your books are in use. Try again in a moment.", canRetry: true)
      case .failed(let reason): state = .failed(reason, canRetry: false)
      }
    }

    private func open(_ models: Schema, _ configuration: ModelConfiguration) {
      do {
        state = .ready(try ModelContainer(for: models, configurations: configuration))
      } catch {
        state = .failed("\(error)", canRetry: false)
      }
    }

    @concurrent
    private static func upgrade(
      _ store: URL, progress: @escaping @Sendable (String) -> Void
    ) async -> StoreUpgrader.Outcome {
      #if os(iOS)
        // The system kills a suspended app that has a lock in an app group. While the block runs, it
        // suspends the app only if the time runs out, which a second call of the block says; the
        // upgrade goes on then, and if the app is killed, the next launch completes it.
        await withCheckedContinuation { continuation in
          let isFirstCall = Mutex(true)
          ProcessInfo.processInfo.performExpiringActivity(withReason: "Upgrading the store") {
            isExpired in
            let isFirst = isFirstCall.withLock { isFirst in
              defer { isFirst = false }
              return isFirst
            }
            guard isFirst else { return }
            continuation.resume(returning: isExpired ? .busy : upgradeNow(store, progress))
          }
        }
      #else
        upgradeNow(store, progress)
      #endif
    }

    private nonisolated static func upgradeNow(
      _ store: URL, _ progress: (String) -> Void
    ) -> StoreUpgrader.Outcome {
      guard let migrations = Bundle.module.url(forResource: "Migrations", withExtension: nil) else {
        return .failed("The app lacks its migrations.")
      }
      do {
        // A book stands on its shelf by its link; the shelf's name in the book isn't needed.
        let upgrader = try StoreUpgrader(
          store: store, migrations: migrations, acceptedLosses: ["V1-V2:Book.shelfName"])
        return upgrader.run { progress($0.rawValue) }
      } catch {
        return .failed("\(error)")
      }
    }
  }
#endif

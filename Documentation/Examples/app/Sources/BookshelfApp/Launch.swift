#if canImport(SwiftUI) && canImport(SwiftData)
  import Foundation
  import StoreUpgrade
  import SwiftData

  /// What happens between the start of the app and its first view.
  @MainActor @Observable
  final class Launch {
    enum State {
      case working(String)
      case ready(ModelContainer)
      case failed(String)
    }

    private(set) var state = State.working("Opening your books…")

    /// Upgrades the store outside of the main actor, then opens it.
    func start() async {
      let store = URL.applicationSupportDirectory.appending(path: "default.store")
      let outcome = await Self.upgrade(store) { phase in
        Task { @MainActor in self.state = .working("Preparing your books: \(phase)…") }
      }
      switch outcome {
      case .current, .upgraded: open(store)
      case .diskFull(let bytes):
        let size = bytes.formatted(.byteCount(style: .file))
        state = .failed("Free \(size) of storage, then try again.")
      case .inUse:
        state = .failed("Another part of the app uses your books. Try again in a moment.")
      case .failed(let reason): state = .failed(reason)
      }
    }

    func retry() { state = .working("Opening your books…") }

    private func open(_ store: URL) {
      do {
        let models = Schema([Shelf.self, Volume.self], version: Schema.Version(2, 0, 0))
        state = .ready(
          try ModelContainer(for: models, configurations: ModelConfiguration(url: store)))
      } catch {
        state = .failed("\(error)")
      }
    }

    @concurrent
    private nonisolated static func upgrade(
      _ store: URL, progress: @escaping @Sendable (String) -> Void
    ) async -> StoreUpgrade.Outcome {
      guard let migrations = Bundle.module.url(forResource: "Migrations", withExtension: nil) else {
        return .failed("The app lacks its migrations.")
      }
      #if os(iOS)
        // The system then doesn't suspend the app while it has the store's lock; it would kill an
        // app that has a lock in an app group.
        let ended = DispatchSemaphore(value: 0)
        defer { ended.signal() }
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Upgrading the store") {
          isExpired in
          // An upgrade can't be paused. If the time runs out, the next launch completes it.
          if !isExpired { ended.wait() }
        }
      #endif
      do {
        // A book stands on its shelf by its link; the shelf's name in the book isn't needed.
        let upgrade = try StoreUpgrade(
          store: store, migrations: migrations, acceptedLosses: ["V1-V2:Book.shelfName"])
        return upgrade.run { progress($0.rawValue) }
      } catch {
        return .failed("\(error)")
      }
    }
  }
#endif

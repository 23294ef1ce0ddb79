#if canImport(SwiftUI) && canImport(SwiftData)
  import StoreMigration
  import SwiftData
  import SwiftUI

  @main
  struct BookshelfApp: App {
    @State private var launch = Launch()

    var body: some Scene {
      WindowGroup { LaunchView(launch: launch) }
    }
  }

  struct LaunchView: View {
    let launch: Launch

    @Environment(\.scenePhase) private var scenePhase

    var body: some View {
      switch launch.state {
      case .working(let phase):
        UpgradeProgress(phase: phase)
          .task(id: scenePhase) { if scenePhase != .background { await launch.start() } }
      case .ready(let container): ShelfList().modelContainer(container)
      case .failed(let reason):
        ContentUnavailableView {
          Label("Your books can't be opened", systemImage: "books.vertical")
        } description: {
          Text(reason)
        } actions: {
          Button("Try Again") { launch.retry() }
        }
      }
    }
  }

  struct UpgradeProgress: View {
    let phase: ApplyPhase?

    /// The part of the phases that are done; `nil` before the first begins.
    private var fraction: Double? {
      let phases = ApplyPhase.allCases
      return phase.flatMap { phases.firstIndex(of: $0) }.map { Double($0) / Double(phases.count) }
    }

    var body: some View {
      ProgressView(phase == nil ? "Opening your books…" : "Preparing your books…", value: fraction)
        .padding()
    }
  }

  struct ShelfList: View {
    @Query(sort: \Shelf.name) private var shelves: [Shelf]

    var body: some View {
      List(shelves) { shelf in
        Section(shelf.name) { ForEach(shelf.sortedBooks) { Text($0.title) } }
      }
    }
  }
#else
  // There is no SwiftUI on this system. `StoreUpgrade` is for all systems.
  @main
  struct BookshelfApp {
    static func main() { print("BookshelfApp needs macOS or iOS.") }
  }
#endif

import Foundation
import Platform
import TestSupport
import Testing
import XMLText

@testable import outbox_migrate

/// The pictures of the README are what the tool prints today.
@Suite struct PictureTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Documentation/Pictures")

  private static let isRecording =
    ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_RECORD"] == "1"

  /// Compares a text with a recorded file, or records it.
  private func compare(_ text: String, with name: String) throws {
    let file = Self.folder.appending(path: name)
    if Self.isRecording {
      try text.write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(
        try String(contentsOf: file, encoding: .utf8) == text,
        "'\(name)' is older than what it shows; 'make record' makes it again")
    }
  }

  @Test func `the picture of a session has what the transcript says`() throws {
    let transcript = TranscriptTests.folder.appending(path: "five-minutes.txt")
    let session = Transcript(parsing: try String(contentsOf: transcript, encoding: .utf8))
    let picture = SessionPicture(transcript: session).text
    try compare(picture, with: "session.svg")
    #expect(try XMLElement(parsing: Array(picture.utf8)).name == "svg")
  }

  /// The picture is a browser's, so its bytes aren't the same everywhere: the page's digest is compared instead.
  @Test func `the picture of a plan is of the page that the tool writes`() throws {
    let folder = try TemporaryDirectory()
    let store = folder.path("default.store")
    _ = try output(of: ["fixture", "create", "lume", "V6", store, "--rows", "40"])
    let page = folder.path("plan.html")
    let text = try output(of: ["plan", store, "--format", "html"])
      .replacing(folder.path, with: ".")
    try text.write(toFile: page, atomically: true, encoding: .utf8)
    if Self.isRecording {
      let picture = Self.folder.appending(path: "plan.png").path
      guard
        try BrowserTests().browse(
          page, ["--screenshot=\(picture)", "--window-size=1100,900"], in: folder) != nil
      else { return }
    }
    let digest = try sha256(ofFile: page).map { String(format: "%02x", $0) }.joined()
    try compare(digest + "\n", with: "plan.sha256")
  }
}

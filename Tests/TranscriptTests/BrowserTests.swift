import Foundation
import TestSupport
import Testing

@testable import outbox_migrate
import OutboxConversion
import StoreProof

@Suite struct BrowserTests {
  @Test func `a browser shows the page as it is meant`() throws {
    let folder = try TemporaryDirectory()
    let store = folder.path("default.store")
    _ = try output(of: ["fixture", "create", "lume", "V6", store, "--rows", "40"])
    let page = folder.path("plan.html")
    try output(of: ["plan", store, "--format", "html"])
      .write(toFile: page, atomically: true, encoding: .utf8)
    guard let (document, log) = try browse(page, ["--dump-dom"], in: folder) else { return }
    // The script has run, so that the policy has its hash; a refusal would be on the console.
    #expect(document.contains(#"data-script="on""#))
    #expect(!log.contains("CONSOLE"), "\(log)")
    #expect(document.contains("SDOutboxEvent.payload"))

    let picture = folder.path("plan.png")
    _ = try browse(
      page, ["--screenshot=\(picture)", "--window-size=1280,1600"], in: folder)
    let bytes = try Data(contentsOf: URL(filePath: picture))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    // A blank page of this size has some 10 KB.
    #expect(bytes.count > 40_000)
  }

  /// Runs a headless browser; `nil`, after a printed note, if Chromium isn't installed.
  private func browse(
    _ page: String, _ options: [String], in folder: TemporaryDirectory
  ) throws -> (output: String, log: String)? {
    let candidates = ["chromium", "chromium-browser", "google-chrome"].map { "/usr/bin/\($0)" }
    guard let file = candidates.first(where: FileManager.default.isExecutableFile) else {
      print("skipped: Chromium isn't installed; the page isn't checked")
      return nil
    }
    let process = Process()
    let (sink, log) = (Pipe(), folder.path("browser.log"))
    _ = FileManager.default.createFile(atPath: log, contents: nil)
    process.executableURL = URL(filePath: file)
    process.arguments =
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
        "--enable-logging=stderr", "--user-data-dir=\(folder.path("browser"))",
        // Without a network the browser would wait for one.
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
      ] + options + ["file://\(page)"]
    process.standardOutput = sink
    process.standardError = FileHandle(forWritingAtPath: log)
    try process.start()
    let bytes = try sink.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (
      String(decoding: bytes, as: UTF8.self), try String(contentsOfFile: log, encoding: .utf8)
    )
  }
}

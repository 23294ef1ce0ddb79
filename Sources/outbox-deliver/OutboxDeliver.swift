import Foundation
import JSONText
import OutboxDelivery
import Platform

/// The part of `outbox-migrate outbox deliver` that speaks HTTP.
///
/// A program of its own, so that the main one starts without what that needs.
///
/// It reads its job as JSON from its only argument and answers with one JSON document: a summary,
/// or the error that kept it from beginning.
@main struct OutboxDeliver {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 1, let text = arguments.first, text.hasPrefix("{") else {
      try? StandardStream.error.write(
        "Error: this program is a part of outbox-migrate; use 'outbox-migrate outbox deliver'\n")
      exit(64)
    }
    ignoreBrokenPipe()
    do {
      let job = try DeliveryJob(parsing: text)
      if job.endsWithParent { endWithParent() }
      let summary = try await job.run()
      try StandardStream.output.write((summary?.json ?? [:]).text() + "\n")
    } catch {
      let answer: JSONValue = ["error": .string("\(error)")]
      try? StandardStream.output.write(answer.text() + "\n")
      exit(DeliveryJob.exitStatus(after: error))
    }
  }
}

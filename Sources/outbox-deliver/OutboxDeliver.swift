import Foundation
import JSONText
import OutboxDelivery
import Platform

/// The HTTP client of `outbox-migrate outbox deliver`.
///
/// It is a separate program, so that the main program doesn't load Foundation's networking.
///
/// Its only argument is a job as JSON. It prints one JSON document: a summary, or the error that
/// prevented the job from starting.
@main struct OutboxDeliver {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 1, let text = arguments.first, text.hasPrefix("{") else {
      try? StandardStream.error.write(
        "Error: this program is part of outbox-migrate; use 'outbox-migrate outbox deliver'\n")
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

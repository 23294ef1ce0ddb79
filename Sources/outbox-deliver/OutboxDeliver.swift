import Processes
import JSONText
import OutboxDelivery
import Platform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The HTTP client of `outbox-migrate outbox deliver`.
///
/// It is a separate program, so that the main program doesn't load libcurl and what it needs.
///
/// Its only argument is a job as JSON. It prints one JSON document: a summary, or the error that
/// prevented the job from starting. A stop signal ends the delivery after the events in progress
/// are back in the queue; the summary is still printed.
@main struct OutboxDeliver {
  // Not asynchronous: waiting for tasks, Swift's main thread on Linux would let stop signals through.
  static func main() {
    let arguments = (try? commandLineWords()) ?? []
    guard arguments.count == 1, let text = arguments.first, text.hasPrefix("{") else {
      try? StandardStream.error.write(
        "Error: this program is part of outbox-migrate; use 'outbox-migrate outbox deliver'\n")
      exit(64)
    }
    ignoreWriteSignals()
    StopSignal.hold()
    do {
      let job = try DeliveryJob(parsing: text)
      if job.endsWithParent { endWithParent() }
      let (result, signal) = try run(job)
      try StandardStream.output.write(result.text() + "\n")
      if let signal { exit(signal.exitStatus) }
    } catch {
      let failure = DeliveryFailure(error)
      try? StandardStream.output.write(failure.json.text() + "\n")
      exit(failure.exitStatus)
    }
  }

  /// Runs a job until it ends or a stop signal arrives.
  private static func run(
    _ job: DeliveryJob
  ) throws -> (result: JSONValue, signal: StopSignal?) {
    let result = Guarded<Result<JSONValue, any Error>?>(nil)
    let signal = Guarded<StopSignal?>(nil)
    let work = Task.detached {
      do {
        let json = try await job.result()
        result.withLock { $0 = .success(json) }
      } catch {
        result.withLock { $0 = .failure(error) }
      }
    }
    StopSignal.receive { received in
      signal.withLock { $0 = $0 ?? received }
      work.cancel()
    }
    let json = try result.withLock(when: { $0 != nil }) { try $0?.get() ?? [:] }
    return (json, signal.withLock { $0 })
  }
}

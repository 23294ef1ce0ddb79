import InputFiles
import JSONText
import Platform
import Processes
import StoreMigration

/// The program `outbox-deliver` beside this one, which speaks HTTP.
struct DeliveryProgram {
  private let path: String

  init() throws(Failure) {
    path = try Program.sibling("outbox-deliver", advice: "install both")
  }

  /// Checks the address and the token of a job.
  func validate(_ job: [JSONValue.Member]) throws(Failure) {
    _ = try summary(of: job + [.init("checks_only", true)])
  }

  /// Runs a job and returns its summary.
  ///
  /// A stop signal to this command goes on to the program, which puts the events in progress back
  /// into the queue and then prints its summary.
  func run(
    _ job: [JSONValue.Member]
  ) throws(Failure) -> (summary: JSONObject, signal: StopSignal?) {
    // If this command is killed, the delivery has to end too.
    try summary(of: job + [.init("ends_with_parent", true)])
  }

  private func summary(
    of job: [JSONValue.Member]
  ) throws(Failure) -> (summary: JSONObject, signal: StopSignal?) {
    do {
      let outcome = try Program.run(path, [JSONValue.object(job).text()])
      let object = try? JSONNode(parsing: outcome.output).object
      if let error = try object?.optional("error")?.string {
        throw Failure(ExitStatus(rawValue: outcome.status) ?? .failed, error)
      }
      let signal = StopSignal(exitStatus: outcome.status)
      if let object, outcome.status == 0 || signal != nil { return (object, signal) }
      throw Failure(
        signal.map { ExitStatus($0) } ?? .failed,
        "'outbox-deliver' exited with status \(outcome.status); run the command again: events that "
          + "were already sent keep their Idempotency-Key")
    } catch let failure as Failure {
      throw failure
    } catch let error as SystemError {
      throw Failure(.ioError, error.description)
    } catch {
      throw Failure(
        .failed,
        "can't read the output of 'outbox-deliver'; install the same version of both programs")
    }
  }
}

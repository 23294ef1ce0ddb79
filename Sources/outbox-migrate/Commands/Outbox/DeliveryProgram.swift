import JSONText
import Platform
import StoreMigration

/// The program `outbox-deliver` beside this one, which speaks HTTP.
struct DeliveryProgram {
  private let path: String

  init() throws(Failure) {
    do {
      path = FileSystem.parent(of: try Program.path) + "/outbox-deliver"
    } catch {
      throw Failure(.ioError, error.description)
    }
    guard (try? FileSystem.exists(path)) == true else {
      throw Failure(
        .failed, "there is no program 'outbox-deliver' beside 'outbox-migrate'; install both")
    }
  }

  /// Checks the address and the token of a job.
  func validate(_ job: [JSONValue.Member]) throws(Failure) {
    _ = try run(job + [.init("checks_only", true)])
  }

  /// Runs a job and returns the program's answer.
  func run(_ job: [JSONValue.Member]) throws(Failure) -> JSONObject {
    do {
      // If this command is stopped, the delivery has to stop too.
      let job = JSONValue.object(job + [.init("ends_with_parent", true)])
      let outcome = try Program.run(path, [job.text()])
      let object = try? JSONNode(parsing: outcome.output).object
      if let error = try object?.optional("error")?.string {
        throw Failure(ExitStatus(rawValue: outcome.status) ?? .failed, error)
      }
      if let object, outcome.status == 0 { return object }
      throw Failure(
        .failed,
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

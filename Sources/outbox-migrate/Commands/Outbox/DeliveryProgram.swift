import JSONText
import Platform
import StoreMigration
import Migrations
import RowRewriting

/// The program beside this one that speaks HTTP.
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
        .failed, "the program 'outbox-deliver' isn't beside this one; install it along with it")
    }
  }

  /// Checks that a job can begin: address and token.
  func check(_ job: [JSONValue.Member]) throws(Failure) {
    _ = try run(job + [.init("checks_only", true)])
  }

  /// Does a job and returns what the program says of it.
  func run(_ job: [JSONValue.Member]) throws(Failure) -> JSONObject {
    do {
      // Nobody waits for a delivery whose command was stopped.
      let job = JSONValue.object(job + [.init("ends_with_parent", true)])
      let outcome = try Program.run(path, [job.text()])
      let object = try? JSONNode(parsing: outcome.output).object
      if let error = try object?.optional("error")?.string {
        throw Failure(ExitStatus(rawValue: outcome.status) ?? .failed, error)
      }
      if let object, outcome.status == 0 { return object }
      throw Failure(
        .failed,
        "'outbox-deliver' ended with status \(outcome.status); run it again: events that it sent "
          + "go out under the same id")
    } catch let failure as Failure {
      throw failure
    } catch let error as SystemError {
      throw Failure(.ioError, error.description)
    } catch {
      throw Failure(.failed, "'outbox-deliver' says what can't be read")
    }
  }
}

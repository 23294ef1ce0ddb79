import Dispatch

/// Runs the steps of tasks one after the other.
///
/// A delivery's steps take some microseconds each. To hand each one to another thread takes as long.
final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "delivery")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

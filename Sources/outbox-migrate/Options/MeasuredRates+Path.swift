import InputFiles
import JSONText
import MigrationMonitoring
import Platform

extension MeasuredRates {
  /// Reads the file of `--rates`; one that isn't there has no rates.
  init(atPath path: String) throws(Failure) {
    do {
      try self.init(file: path)
    } catch let error as JSONError {
      throw Failure(error)
    } catch {
      throw Failure(any: error)
    }
  }
}

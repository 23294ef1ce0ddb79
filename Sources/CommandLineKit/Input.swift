/// The parsed values of a command's parameters.
///
/// All values are converted and validated before a command is created.
package struct Input: ~Copyable {
  private let values: [String: any Sendable]

  init(_ values: [String: any Sendable]) { self.values = values }

  /// Returns the value of a parameter.
  ///
  /// - Precondition: The parameter is one of the command's, or one of the tool's global ones.
  package subscript<P: Parameter>(parameter: P) -> P.Value {
    guard let value = values[parameter.id] as? P.Value else {
      preconditionFailure("'\(parameter.id)' isn't among the parameters of the command")
    }
    return value
  }
}

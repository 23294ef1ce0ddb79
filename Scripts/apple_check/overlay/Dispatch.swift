// What this package uses of Dispatch.
public class DispatchQueue: @unchecked Sendable {
  public init(label: String) { fatalError() }

  public class func global() -> DispatchQueue { fatalError() }

  public func async(execute work: @escaping @Sendable () -> Void) { fatalError() }

  public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) { fatalError() }
}

import Foundation

/// The number of random inputs that a test tries. The inputs are the same in every run, and a longer run begins with the inputs
/// of a shorter run.
package enum RandomInputs {
    /// The factor in the environment variable `REQCLI_FUZZ`: with `REQCLI_FUZZ=20`, tests try 20 times as many inputs as usual.
    private static let factor = ProcessInfo.processInfo.environment["REQCLI_FUZZ"].flatMap { Int($0) } ?? 1

    /// Whether tests try more inputs than usual.
    package static var areMany: Bool { factor > 1 }

    package static func count(_ usual: Int) -> Int { usual * max(1, factor) }
}

import Foundation

/// How many random inputs a test tries. They are the same in every run, and a longer run begins with those of a shorter one.
package enum RandomInputs {
    /// `REQCLI_FUZZ=20` asks for 20 times as many as usual.
    private static let factor = ProcessInfo.processInfo.environment["REQCLI_FUZZ"].flatMap { Int($0) } ?? 1

    /// Whether tests try all that they can.
    package static var areMany: Bool { factor > 1 }

    package static func count(_ usual: Int) -> Int { usual * max(1, factor) }
}

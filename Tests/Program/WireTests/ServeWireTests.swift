import Foundation
import Testing

/// `send` gets from `serve` what it gets from a stub, and `serve` finds nothing wrong with what `send` makes of an endpoint's file.
@Suite struct ServeWireTests {
    @Test("a server of stubs responds as the stubs do without one", .timeLimit(.minutes(60)))
    func sameResponses() async throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["WIRE_CASES"].flatMap { Int($0) } ?? 2000
        let seed = environment["WIRE_SEED"].flatMap { UInt64($0) } ?? 1
        let result = try await ServeProof(count: count, seed: seed &+ 2).result()
        let failures = result.failures
        let shown = failures.prefix(5).map { $0.prefix(1500) }.joined(separator: "\n")
        #expect(failures.count == 0, "\(failures.count) failures\n\(shown)")
        #expect(result.compared > count / 2, "\(result.compared) of \(count) compared")
    }
}

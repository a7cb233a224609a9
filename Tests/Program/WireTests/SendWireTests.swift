import Foundation
import TestSupport
import Testing
import ToolSupport

/// `send` puts the same bytes on the wire as the rendered command, and as `render` shows.
@Suite struct SendWireTests {
    private static let posixShells = ["dash", "bash"].compactMap(Tool.path(of:))
    private static let hasCurl = Tool.path(of: "curl") != nil

    /// A number from the environment. For fuzzing, raise it and change the seed.
    private static func number(_ name: String, otherwise standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    @Test(
        "send, the http format, and the rendered curl in dash and bash agree on every byte",
        .enabled(if: hasCurl && posixShells.count == 2, "curl, dash and bash are needed"), .timeLimit(.minutes(60)))
    func sameBytes() async throws {
        let count = Self.number("WIRE_CASES", otherwise: 2000)
        let proof = SendProof(
            count: count, seed: UInt64(Self.number("WIRE_SEED", otherwise: 1)), shells: Self.posixShells,
            processes: Self.number("WIRE_PROCESSES", otherwise: 100))
        let result = try await proof.result()
        let failures = result.failures
        #expect(failures.isEmpty, "\(failures.count) failures\n\(failures.prefix(5).joined(separator: "\n"))")
        #expect(result.refused < max(count / 20, 5), "most calls can be made")
    }
}

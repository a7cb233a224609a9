import ReqcliBasics
import ReqcliDefinitions

/// One part of the cases, for one of several machines. `2/5` is the second of five parts.
///
/// Without `--balance`, the part of a case depends only on its id, so that a new case doesn't move any other case.
package struct Shard: Sendable, Equatable {
    package let index: Int
    package let count: Int

    /// The maximum number of parts.
    package static let most = 100_000

    /// Nil unless 1 ≤ index ≤ count ≤ ``most``.
    package init?(index: Int, of count: Int) {
        guard (1...Self.most).contains(count), (1...count).contains(index) else { return nil }
        self.index = index
        self.count = count
    }

    /// Nil if the text is not `K/N` with 1 ≤ K ≤ N.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }
        guard parts.count == 2, isPlain, let index = Int(parts[0]), let count = Int(parts[1])
        else { return nil }
        self.init(index: index, of: count)
    }

    package static let expectation = "K/N, such as 2/5 for the second of five parts, or \"auto\", or \"auto/N\""

    package var text: String { "\(index)/\(count)" }

    /// The part of a run, from 1, for the id of a case or of its unit.
    static func part(of id: String, among count: Int) -> Int { Int(StableHash.of(id) % UInt64(count)) + 1 }
}

import ASCII
import Definitions

/// One part of the cases, for one of several machines: `2/5`.
///
/// Which part a case belongs to depends on its id alone, so that a new case moves no other.
package struct Shard: Sendable, Equatable {
    package let index: Int
    package let count: Int

    /// Nil if the text is not `K/N` with 1 ≤ K ≤ N.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }
        guard parts.count == 2, isPlain, let index = Int(parts[0]), let count = Int(parts[1]), index >= 1,
            index <= count
        else { return nil }
        self.index = index
        self.count = count
    }

    package static let expectation = "K/N, such as 2/5: the second of five parts"

    package var text: String { "\(index)/\(count)" }

    func holds(_ id: String) -> Bool { StableHash.of(id) % UInt64(count) == UInt64(index - 1) }
}

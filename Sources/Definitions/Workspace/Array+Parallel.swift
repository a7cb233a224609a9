import Dispatch
import Synchronization

extension Array where Element: Sendable {
    /// Maps the elements in order, on all cores if there are many of them.
    package func mapInParallel<Result: Sendable>(_ transform: @Sendable (Element) -> Result) -> [Result] {
        // For fewer elements, starting threads takes longer than it saves.
        guard count >= 8, ThreadSupply.has(ThreadSupply.cores) else { return map(transform) }
        let results = Mutex([Result?](repeating: nil, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = transform(self[index])
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0 }.compactMap(\.self)
    }
}

/// Names of one kind, each of which is given once. A name that is taken gets a number: `id`, `id-2`. Asking for many names of one
/// kind takes linear time.
package struct UniqueNames: Sendable {
    private var taken: Set<String>
    /// Stands between a name and its number.
    private let separator: String
    /// The number from which on there may be a free name, by the name in front of it.
    private var numbers: [String: Int] = [:]

    package init(_ taken: some Sequence<String> = [], separator: String = "-") {
        self.taken = Set(taken)
        self.separator = separator
    }

    package func contains(_ name: String) -> Bool { taken.contains(name) }

    /// Takes this name alone.
    ///
    /// - Returns: Whether it was free.
    @discardableResult
    package mutating func insert(_ name: String) -> Bool { taken.insert(name).inserted }

    /// The name, with a number if it is taken.
    package mutating func free(_ wanted: String) -> String {
        if !taken.contains(wanted) { return wanted }
        var number = numbers[wanted, default: 2]
        while taken.contains("\(wanted)\(separator)\(number)") { number += 1 }
        numbers[wanted] = number
        return "\(wanted)\(separator)\(number)"
    }

    /// The free name, which is taken from now on.
    package mutating func take(_ wanted: String) -> String {
        let name = free(wanted)
        taken.insert(name)
        return name
    }
}

/// Makes names unique. A name that is already taken gets a number: `id`, `id-2`. Asking for the same name many times takes linear
/// time.
package struct UniqueNames: Sendable {
    private var taken: Set<String>
    /// The string between a name and its number.
    private let separator: String
    /// For each name, the first number that may be free.
    private var numbers: [String: Int] = [:]

    package init(_ taken: Set<String> = [], separator: String = "-") {
        self.taken = taken
        self.separator = separator
    }

    package func contains(_ name: String) -> Bool { taken.contains(name) }

    /// Marks exactly this name as taken, if it is free.
    ///
    /// - Returns: Whether the name was free.
    @discardableResult
    package mutating func insert(_ name: String) -> Bool { taken.insert(name).inserted }

    /// Returns the name, with a number if the name is taken. The result is not marked as taken.
    package mutating func free(_ wanted: String) -> String {
        if !taken.contains(wanted) { return wanted }
        var number = numbers[wanted, default: 2]
        while taken.contains("\(wanted)\(separator)\(number)") { number += 1 }
        numbers[wanted] = number
        return "\(wanted)\(separator)\(number)"
    }

    /// Returns the name, with a number if the name is taken, and marks the result as taken.
    package mutating func take(_ wanted: String) -> String {
        let name = free(wanted)
        taken.insert(name)
        return name
    }
}

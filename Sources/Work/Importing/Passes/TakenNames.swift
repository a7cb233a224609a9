/// Names that are taken, from which new ones differ by a number. Asking for many names of one kind takes linear time.
package struct TakenNames: Sendable {
    private var names: Set<String>
    /// The number from which on there may be a free name, by what stands in front of it.
    private var numbers: [String: Int] = [:]

    package init(_ names: some Sequence<String> = []) { self.names = Set(names) }

    package func contains(_ name: String) -> Bool { names.contains(name) }

    package mutating func insert(_ name: String) { names.insert(name) }

    /// The name as a param can have it, with a number if it is taken: `id-2`.
    package mutating func free(_ name: String) -> String {
        let stem = ParamNames.clean(name)
        if !names.contains(stem) { return stem }
        var number = numbers[stem, default: 2]
        while names.contains("\(stem)-\(number)") { number += 1 }
        numbers[stem] = number
        return "\(stem)-\(number)"
    }

    /// The free name, which is taken from now on.
    package mutating func take(_ name: String) -> String {
        let free = free(name)
        names.insert(free)
        return free
    }
}

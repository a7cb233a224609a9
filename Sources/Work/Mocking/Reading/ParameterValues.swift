package import ReqcliText

/// The values that a request has for params. A request has few params, so a list is faster than a dictionary.
package struct ParameterValues: Sendable {
    /// One value. A struct and not a tuple, because freeing a list of tuples takes 300 instructions.
    package struct Item: Sendable {
        package let name: String
        package fileprivate(set) var value: OrderedJSON
    }

    package private(set) var all: [Item] = []

    init() {}

    /// - Parameter all: The values, one for each name.
    init(all: [Item]) { self.all = all }

    package subscript(name: String) -> OrderedJSON? {
        all.first { $0.name == name }?.value
    }

    mutating func set(_ name: String, _ value: OrderedJSON) {
        if let index = all.firstIndex(where: { $0.name == name }) {
            all[index].value = value
        } else {
            all.append(Item(name: name, value: value))
        }
    }
}

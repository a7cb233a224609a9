package import SourceText

/// The values that a request has for params. They are few, and each request has its own, so that a list is faster than a dictionary.
package struct ParameterValues: Sendable {
    package private(set) var all: [(name: String, value: OrderedJSON)] = []

    package subscript(name: String) -> OrderedJSON? {
        all.first { $0.name == name }?.value
    }

    mutating func set(_ name: String, _ value: OrderedJSON) {
        if let index = all.firstIndex(where: { $0.name == name }) {
            all[index].value = value
        } else {
            all.append((name, value))
        }
    }
}

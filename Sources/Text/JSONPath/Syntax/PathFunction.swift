/// The functions of RFC 9535, with the types of their arguments and results.
enum PathFunction: String, CaseIterable {
    case count
    case length
    case match
    case search
    case value

    enum Parameter {
        /// A single value: a literal, a path to one node, or a function that returns a value.
        case value
        /// All nodes that a path selects.
        case nodes
    }

    var parameters: [Parameter] {
        switch self {
        case .length: [.value]
        case .count, .value: [.nodes]
        case .match, .search: [.value, .value]
        }
    }

    /// Whether the function returns true or false. The other functions return a value, which can only be compared.
    var isCondition: Bool { self == .match || self == .search }

    static let list = allCases.map { "\($0.rawValue)()" }.joined(separator: ", ")
}

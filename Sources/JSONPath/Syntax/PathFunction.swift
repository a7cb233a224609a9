/// The functions of RFC 9535, with what they take and give.
enum PathFunction: String, CaseIterable {
    case count
    case length
    case match
    case search
    case value

    enum Parameter {
        /// One value: a literal, a path to one node, or a function that gives one.
        case value
        /// All the nodes of a path.
        case nodes
    }

    var parameters: [Parameter] {
        switch self {
        case .length: [.value]
        case .count, .value: [.nodes]
        case .match, .search: [.value, .value]
        }
    }

    /// Whether it is true or false, and not a value to be compared.
    var isCondition: Bool { self == .match || self == .search }

    static let list = allCases.map { "\($0.rawValue)()" }.joined(separator: ", ")
}

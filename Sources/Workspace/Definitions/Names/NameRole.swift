/// The kind of thing that a text in a file names.
package enum NameRole: Sendable, Equatable {
    case endpoint
    case environment
    case parameter
    case variant
    case step

    /// - Parameter phrase: The kind in messages, such as "an environment".
    init?(phrase: String) {
        switch phrase {
        case "an environment": self = .environment
        case "a param": self = .parameter
        case "a variant": self = .variant
        default: return nil
        }
    }
}

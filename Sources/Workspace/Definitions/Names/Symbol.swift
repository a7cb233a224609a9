package import ReqcliText

/// Something that a workspace defines and that files name.
package enum Symbol: Sendable, Hashable {
    case endpoint(String)
    case environment(String)
    /// A param; the owner is the id of an endpoint or a scenario, or the group of `Symbol.owner(ofGroup:)`.
    case parameter(String, of: String)
    case variable(String)
    case secret(String)
    /// A capture; the owner is the id of an endpoint, or a step's `Symbol.owner(ofStep:in:)`.
    case capture(String, of: String)
    /// An alias in `needs`; the owner is "" for the aliases of environments.
    case alias(String, of: String)
    case step(String, of: String)
    case variant(String, of: String)
    /// A file by its path from the workspace's root.
    case file(String)

    package static func owner(ofGroup id: String) -> String { "group \(id)" }

    static func owner(ofStep name: String, in scenario: String) -> String { "\(scenario) \(name)" }
}

/// A place in a file that defines or names something.
package struct Occurrence: Sendable {
    package let symbol: Symbol
    /// The place of the name, without quotes and braces. For a definition without a written name, the place of its object.
    package let place: Place
    package let isDefinition: Bool
    /// Whether the place has exactly the name, so that another name can be written there.
    package let isName: Bool
}

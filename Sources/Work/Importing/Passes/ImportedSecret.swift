import ReqcliText

/// A secret of the environment that replaces a value of the source.
package struct ImportedSecret: Sendable, Equatable {
    package let name: String
    /// The process variable that holds the value.
    package let variable: String
    /// The value, if the source has one. If the user asks for it, the value is written to `.env`; no other file contains it.
    package var value: String?

    /// The secret in `secrets` of the file of an environment.
    var definition: OrderedJSON.Member { OrderedJSON.Member(name, .object(["env": .string(variable)])) }

    /// The member of the file of an environment that contains only this secret.
    var member: OrderedJSON.Member { OrderedJSON.Member("secrets", .object([definition])) }
}

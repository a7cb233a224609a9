/// A secret of the environment that replaces a value of the source.
package struct ImportedSecret: Sendable, Equatable {
    package let name: String
    /// The process variable that holds the value.
    package let variable: String
    /// The value, if the source has one. If the user asks for it, the value is written to `.env`; no other file contains it.
    package var value: String?
}

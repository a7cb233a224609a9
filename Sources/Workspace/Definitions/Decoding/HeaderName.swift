import ReqcliBasics

extension Shape where Value == String {
    /// The name of a header.
    static let headerName = token("a header")
    /// The name of a cookie.
    static let cookieName = token("a cookie")

    /// A token as defined in RFC 9110. The names of headers and cookies are tokens.
    private static func token(_ owner: String) -> Shape {
        text.checked(
            expects: "the name of \(owner)", schema: .text(pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
        ) { name, _ in
            name.isToken
                ? nil
                : Complaint(
                    .nameInvalid, "\"\(name)\" can't be the name of \(owner)",
                    hint: "use letters, digits and !#$%&'*+-.^_`|~")
        }
    }
}

import ASCII

extension Shape where Value == String {
    /// The name of a header: a token of RFC 9110.
    static let headerName = text.checked(
        expects: "the name of a header", schema: .text(pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
    ) { name, _ in
        name.isToken
            ? nil
            : Complaint(
                .nameInvalid, "\"\(name)\" can't be the name of a header",
                hint: "use letters, digits and !#$%&'*+-.^_`|~")
    }
}

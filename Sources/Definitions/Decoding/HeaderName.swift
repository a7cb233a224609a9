import ASCII
import SourceText

/// The valid names of headers: tokens of RFC 9110.
enum HeaderName {
    static let pattern = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"
}

extension Shape where Value == String {
    static let headerName = text.checked(
        expects: "the name of a header", schema: .text(pattern: HeaderName.pattern)
    ) { name, value, decoding in
        if name.isToken { return true }
        decoding.report(.nameInvalid, "\"\(name)\" can't be the name of a header", at: value.place)
        return false
    }
}

import ReqcliBasics

/// A part of the request itself, which placeholders of a signature may name: `{{$body}}`.
package enum RequestWord {
    package static let method = "$method"
    package static let host = "$host"
    package static let path = "$path"
    package static let query = "$query"
    package static let sortedQuery = "$query.sorted"
    package static let target = "$target"
    package static let body = "$body"
    package static let signature = "$signature"
    /// The beginning of the words for headers: `$header.Date`.
    package static let header = "$header."

    package static let all = [method, host, path, query, sortedQuery, target, body, signature, header + "NAME"]

    package static func isOne(_ name: String) -> Bool {
        guard name.utf8.first == UInt8(ascii: "$") else { return false }
        return all.dropLast().contains(name)
            || name.hasPrefix(header) && String(name.dropFirst(header.utf8.count)).isToken
    }
}

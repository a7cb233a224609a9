import ReqcliBasics
import ReqcliText

/// The kinds of `auth` that sign the finished request.
package enum Signature: Sendable {
    case hmac(HMACTemplate)
    case aws(AWSTemplate)

    /// The values, in the order in which a file writes them.
    package var values: [ValueTemplate] {
        switch self {
        case .hmac(let template): template.values
        case .aws(let template): template.values
        }
    }

    /// The kind in a few words, without any value.
    package var title: String {
        switch self {
        case .hmac(let template): "HMAC \(template.algorithm.rawValue)"
        case .aws: "AWS Signature Version 4"
        }
    }

    /// The headers and the query items that the signature adds.
    package var carriers: [(place: Credentials.APIKeyPlace, name: String)] {
        switch self {
        case .hmac(let template):
            template.headers.map { (.header, $0.name) } + template.query.map { (.query, $0.name) }
        case .aws(let template):
            template.isInQuery
                ? ["Signature", "Security-Token", "Algorithm", "Credential", "Date", "Expires", "SignedHeaders"].map {
                    (.query, "X-Amz-" + $0)
                } : [(.header, "Authorization"), (.header, "X-Amz-Security-Token")]
        }
    }

    func source(_ text: AuthKind.PartText) -> OrderedJSON {
        switch self {
        case .hmac(let template): template.source(text)
        case .aws(let template): template.source(text)
        }
    }
}

/// A part of the request itself, which placeholders of a signature may name: `{{$body}}`.
package enum RequestWord {
    /// The words that are known at a place.
    enum Extent: Comparable {
        case none
        /// The words, but not the signature.
        case request
        case signature
    }

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

    static let all = [method, host, path, query, sortedQuery, target, body, signature, header + "NAME"]

    package static func isOne(_ name: String) -> Bool {
        guard name.utf8.first == UInt8(ascii: "$") else { return false }
        return all.dropLast().contains(name)
            || name.hasPrefix(header) && String(name.dropFirst(header.utf8.count)).isToken
    }

    /// The mistake if a placeholder names a part of the request where it isn't known.
    static func complaint(_ placeholder: Placeholder, _ known: Extent) -> Complaint? {
        guard case .name(let name) = placeholder, isOne(name) else { return nil }
        if name == signature {
            return known == .signature
                ? nil
                : Complaint(
                    .placeholderInvalid,
                    "\"{{\(name)}}\" has a value only in \"headers\" and \"query\" of \"auth.hmac\"")
        }
        return known > .none
            ? nil : Complaint(.placeholderInvalid, "\"{{\(name)}}\" has a value only in \"auth.hmac\"")
    }
}

extension Shape {
    /// A value whose placeholders may name parts of the request.
    func knowing(_ words: RequestWord.Extent) -> Shape {
        let decode = decode
        return Shape(expects: expects, schema: schema) { value, decoding in
            let outer = decoding.requestWords
            decoding.requestWords = words
            defer { decoding.requestWords = outer }
            return decode(value, &decoding)
        }
    }
}

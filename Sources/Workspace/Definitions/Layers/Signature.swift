import ReqcliBasics
import ReqcliFunctions
import ReqcliText
import RequestBuilding

/// The kinds of `auth` that sign the finished request.
package enum Signature: Sendable {
    case hmac(HMACTemplate)
    case aws(AWSTemplate)
    /// A token that says nothing about the request, but is made when the request is sent.
    case jwt(JWTTemplate)

    /// The values, in the order in which a file writes them.
    package var values: [ValueTemplate] {
        switch self {
        case .hmac(let template): template.values
        case .aws(let template): template.values
        case .jwt(let template): template.values
        }
    }

    /// The kind in a few words, without any value.
    package var title: String {
        switch self {
        case .hmac(let template): "HMAC \(template.algorithm.rawValue)"
        case .aws: "AWS Signature Version 4"
        case .jwt(let template): "JWT \(template.algorithm.rawValue)"
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
        case .jwt: [(.header, "Authorization")]
        }
    }

    func source(_ text: AuthKind.PartText) -> OrderedJSON {
        switch self {
        case .hmac(let template): template.source(text)
        case .aws(let template): template.source(text)
        case .jwt(let template): template.source(text)
        }
    }
}

extension RequestWord {
    /// The words that are known at a place.
    enum Extent: Comparable {
        case none
        /// The words, but not the signature.
        case request
        case signature
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

import ReqcliText
import RequestBuilding

/// The value of `"aws"`: the service, the key, and where the signature goes.
package struct AWSTemplate: Sendable {
    enum Place: String, CaseIterable, Sendable { case header, query }
    enum Payload: String, CaseIterable, Sendable { case signed, unsigned }

    /// The texts by their keys.
    private var texts: [Key: ValueTemplate] = [:]
    private var place = Place.header
    package private(set) var expires = Duration.seconds(900)
    private var payload = Payload.signed

    package enum Key: String, CaseIterable, Sendable {
        case service, region, accessKeyID, secretAccessKey, sessionToken

        package var title: String {
            switch self {
            case .service: "the service"
            case .region: "the region"
            case .accessKeyID: "the access key ID"
            case .secretAccessKey: "the secret access key"
            case .sessionToken: "the session token"
            }
        }
    }

    package var isInQuery: Bool { place == .query }
    package var signsPayload: Bool { payload == .signed }

    package subscript(_ key: Key) -> ValueTemplate? { texts[key] }

    var values: [ValueTemplate] { Key.allCases.compactMap { texts[$0] } }

    func source(_ text: AuthKind.PartText) -> OrderedJSON {
        func secret(_ key: Key, _ part: String? = nil) -> OrderedJSON? {
            texts[key].map { text(part ?? key.rawValue, $0) }
        }
        return .object([
            "service": texts[.service]?.source, "region": texts[.region]?.source,
            // The ID of the key is no secret, but like the name of a user.
            "accessKeyID": secret(.accessKeyID, "user"), "secretAccessKey": secret(.secretAccessKey),
            "sessionToken": secret(.sessionToken), "in": isInQuery ? .string(place.rawValue) : nil,
            "expires": isInQuery && expires != .seconds(900) ? .string(expires.text) : nil,
            "payload": signsPayload ? nil : .string(payload.rawValue),
        ])
    }

    private static func field(_ key: Key, isOptional: Bool = false, _ summary: String) -> Field<AWSTemplate> {
        Field(key.rawValue, Shape<ValueTemplate>.scalarValue, required: !isOptional, summary) { $0.texts[key] = $1 }
    }

    static let table = ObjectShape<AWSTemplate>(
        "aws", title: "\"aws\"", summary: "A signature for AWS (Signature Version 4).",
        [
            field(.service, "The name of the service in signatures, such as s3, execute-api or dynamodb."),
            field(.region, "The region, such as eu-central-1."),
            field(.accessKeyID, "The ID of the access key."),
            field(.secretAccessKey, "The secret access key, as a placeholder for a secret."),
            field(
                .sessionToken, isOptional: true, "The token of a temporary key, as a placeholder for a secret."),
            Field("in", Shape<Place>.word, "Where the signature goes: header (the default) or query.") {
                $0.place = $1
            },
            Field(
                "expires", .bound, "How long the signature in a query is valid; 15 min by default."
            ) { $0.expires = $1 },
            Field(
                "payload", Shape<Payload>.word,
                "Whether the body is signed: signed (the default), for which a file is read twice, or unsigned."
            ) { $0.payload = $1 },
        ], initial: { _ in AWSTemplate() },
        check: { template, value, decoding in
            guard let expires = value["expires"] else { return }
            if !template.isInQuery {
                decoding.report(
                    .keyConflict, "\"expires\" can only be used together with \"in\": \"query\"",
                    at: value.placeOfKey("expires"))
            } else if template.expires.components.attoseconds != 0
                || !(1...604_800).contains(template.expires.components.seconds)
            {
                decoding.report(
                    .valueInvalid, "expected whole seconds from 1s to 7d; found \(template.expires.text)",
                    at: expires.place)
            }
        })
}

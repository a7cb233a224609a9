import Foundation
import ReqcliAssembly
import ReqcliNetworking
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

extension Spot {
    static let all = inURL + inHead + inBody + inSignatures

    /// Texts in signatures. They are filled when the request is signed, so a value that can't be sent is refused then.
    private static let inSignatures = [
        Spot(
            name: "a header of an HMAC",
            members: #""auth": {"hmac": {"key": "k", "sign": "", "headers": {"X": "VALUE", "S": "{{$signature}}"}}}"#
        ) { request, value in
            guard !HostileText.breaksHeader(value) else {
                #expect(throws: Failure.self) { try request.signed() }
                return
            }
            let headers = try request.signed().request.headers
            #expect(headers.filter { $0.name == "X" } == [HeaderFields.Field("X", value)])
            #expect(headers.count == request.request.headers.count + 2)
        },
        Spot(
            name: "a query item of an HMAC",
            members: #""auth": {"hmac": {"key": "k", "sign": "", "query": {"a": "VALUE", "s": "{{$signature}}"}}}"#
        ) { request, value in
            let items = request.queryItems(of: try request.signed().request)
            #expect(items.count == 2 && Set(bytes(items)).isSuperset(of: bytes(["a=\(value)"])))
        },
        Spot(
            name: "the text of an HMAC",
            members:
                #""auth": {"hmac": {"key": "k", "sign": "{{$method}}|VALUE|", "headers": {"S": "{{$signature}}"}}}"#
        ) { request, value in
            let signed = try request.signed()
            #expect(signed.text == Array("GET|\(value)|".utf8))
        },
        Spot(
            name: "the token of a signature for AWS",
            members:
                #""auth": {"aws": {"service": "s3", "region": "r", "accessKeyID": "i", "secretAccessKey": "k", "sessionToken": "VALUE"}}"#,
            refuses: HostileText.isBlank
        ) { request, value in
            guard !HostileText.breaksHeader(value) else {
                #expect(throws: Failure.self) { try request.signed() }
                return
            }
            let headers = try request.signed().request.headers
            let tokens = headers.filter { $0.name == "X-Amz-Security-Token" }
            #expect(tokens == [HeaderFields.Field("X-Amz-Security-Token", value)])
            #expect(headers.values("Authorization").count == 1)
        },
        Spot(
            name: "the secret key of a signature for AWS, in the query",
            members:
                #""query": {"b": "1"}, "auth": {"aws": {"service": "x", "region": "r", "accessKeyID": "i", "secretAccessKey": "VALUE", "in": "query"}}"#,
            refuses: HostileText.isBlank
        ) { request, value in
            let items = request.queryItems(of: try request.signed().request)
            #expect(items.count == 7)
        },
        Spot(
            name: "a claim of a token",
            members: #""auth": {"jwt": {"algorithm": "HS256", "key": "k", "claims": {"sub": "VALUE"}, "expires": 60}}"#
        ) { request, value in
            let claims = String(decoding: try request.signed().text, as: UTF8.self).split(
                separator: ".", maxSplits: 1)[1]
            let read = try JSONDecoder().decode(JSONLiteral.self, from: Data(claims.utf8))
            guard case .object(let members) = read else { throw CocoaError(.coderInvalidValue) }
            #expect(members.map(\.name) == ["exp", "iat", "sub"] && members.last?.value == .string(value))
        },
    ]

    private static let inURL = [
        Spot(name: "a segment of a path", members: #""path": "/a/VALUE/b""#) { request, value in
            #expect(bytes(request.segments) == bytes(["a", value, "b"]))
            #expect(request.queryItems == [])
        },
        Spot(name: "a part of a segment", members: #""path": "/a/v.VALUE/b""#) { request, value in
            #expect(bytes(request.segments) == bytes(["a", "v.\(value)", "b"]))
        },
        Spot(name: "behind an author's dot", members: #""path": "/a/.VALUE/b""#) { request, value in
            #expect(bytes(request.segments) == bytes(["a", ".\(value)", "b"]))
            #expect(request.request.url.absoluteString.contains("/../") == false)
        },
        Spot(name: "behind half an escape", members: #""path": "/a/%2VALUE/b""#) { request, value in
            #expect(bytes(request.segments) == bytes(["a", "%2\(value)", "b"]))
        },
        Spot(name: "twice in a segment", members: #""path": "VALUEVALUE""#) { request, value in
            #expect(bytes(request.segments) == bytes([value + value]))
        },
        Spot(name: "a part of an element of a path", members: #""path": ["a", "%2VALUE", "b"]"#) { request, value in
            #expect(bytes(request.segments) == bytes(["a", "%2\(value)", "b"]))
        },
        Spot(name: "an element of a path", members: #""path": ["a", "VALUE", "b"]"#) { request, value in
            #expect(bytes(request.segments) == bytes(["a", value, "b"]))
        },
        Spot(name: "a base path", members: #""basePath": "/x/VALUE/", "path": "b""#) { request, value in
            #expect(bytes(request.segments) == bytes(["x", value, "b"]))
        },
        Spot(name: "the path of a base URL", members: #""baseURL": "http://h/x/VALUE/y", "path": "b""#) {
            request, value in
            #expect(bytes(request.segments) == bytes(["x", value, "y", "b"]))
        },
        Spot(
            name: "a part of the host of a base URL", members: #""baseURL": "http://VALUE.h/x""#, isPicky: true
        ) { request, value in
            #expect(request.request.url.host?.hasSuffix(".h") == true)
            #expect(request.request.url.path == "/x")
            #expect(request.request.url.user == nil)
        },
        Spot(
            name: "the port of a base URL", members: #""baseURL": "http://h:VALUE/x""#, isPicky: true
        ) { request, _ in
            #expect(request.request.url.host == "h")
            #expect(request.request.url.path == "/x")
        },
        Spot(
            name: "the scheme of a base URL", members: #""baseURL": "VALUE://h/x""#, isPicky: true
        ) { request, _ in
            Issue.record("no hostile text is a scheme: \(request.request.url.absoluteString)")
        },
        Spot(name: "a host", members: #""host": "VALUE.h""#, isPicky: true) { request, _ in
            #expect(request.request.url.host?.hasSuffix(".h") == true)
            #expect(request.request.url.path == "")
        },
        Spot(name: "a query item", members: #""query": {"a": "VALUE", "b": "1"}"#) { request, value in
            #expect(bytes(request.queryItems) == bytes(["a=\(value)", "b=1"]))
        },
        Spot(name: "one of several items", members: #""query": {"a": ["0", "x VALUE"], "b": "1"}"#) { request, value in
            #expect(bytes(request.queryItems) == bytes(["a=0", "a=x \(value)", "b=1"]))
        },
        Spot(name: "a query as text", members: #""query": "%41+&a=xVALUE&b=1""#) { request, value in
            #expect(bytes(request.queryItems) == bytes(["A+", "a=x\(value)", "b=1"]))
        },
        Spot(
            name: "a key in the query",
            members: #""query": {"b": "1"}, "auth": {"apiKey": {"query": "k", "value": "VALUE"}}"#,
            refuses: HostileText.isBlank
        ) { request, value in
            #expect(Set(bytes(request.queryItems)) == Set(bytes(["b=1", "k=\(value)"])))
        },
    ]

    private static let inHead = [
        Spot(
            name: "a header", members: #""headers": {"X": "VALUE", "Y": "1"}"#, refuses: HostileText.breaksHeader
        ) { request, value in
            #expect(request.ownFields == [HeaderFields.Field("X", value), HeaderFields.Field("Y", "1")])
        },
        Spot(
            name: "one of several lines", members: #""headers": {"X": ["0", "a VALUE"]}"#,
            refuses: HostileText.breaksHeader
        ) { request, value in
            #expect(request.ownFields == [HeaderFields.Field("X", "0"), HeaderFields.Field("X", "a \(value)")])
        },
        Spot(
            name: "a bearer token", members: #""auth": {"bearer": "VALUE"}"#,
            refuses: { HostileText.isBlank($0) || HostileText.breaksHeader($0) }
        ) { request, value in
            #expect(request.ownFields == [HeaderFields.Field("Authorization", "Bearer \(value)")])
        },
        Spot(
            name: "a key in a header", members: #""auth": {"apiKey": {"header": "X-Key", "value": "VALUE"}}"#,
            refuses: { HostileText.isBlank($0) || HostileText.breaksHeader($0) }
        ) { request, value in
            #expect(request.ownFields == [HeaderFields.Field("X-Key", value)])
        },
        Spot(
            name: "a user", members: #""auth": {"basic": {"user": "VALUE", "password": "p:w"}}"#,
            refuses: { HostileText.isBlank($0) || $0.contains(":") }
        ) { request, value in
            let coded = Data("\(value):p:w".utf8).base64EncodedString()
            #expect(request.ownFields == [HeaderFields.Field("Authorization", "Basic \(coded)")])
        },
        Spot(
            name: "a password", members: #""auth": {"basic": {"user": "u", "password": "VALUE"}}"#,
            refuses: HostileText.isBlank
        ) { request, value in
            let coded = Data("u:\(value)".utf8).base64EncodedString()
            #expect(request.ownFields == [HeaderFields.Field("Authorization", "Basic \(coded)")])
        },
        Spot(
            name: "a digest account", members: #""auth": {"digest": {"user": "VALUE", "password": "VALUE"}}"#,
            refuses: HostileText.isBlank
        ) { request, value in
            #expect(request.request.transfer.challengeAccount == Account(user: value, password: value))
            #expect(request.ownFields.isEmpty)
        },
        Spot(
            name: "an account for any challenge", members: #""auth": {"any": {"user": "VALUE", "password": "VALUE"}}"#,
            refuses: HostileText.isBlank
        ) { request, value in
            #expect(request.request.transfer.challengeAccount == Account(user: value, password: value))
            #expect(request.ownFields.isEmpty)
        },
    ]

    private static let inBody = [
        Spot(name: "a string of JSON", members: #""body": {"json": {"a": "VALUE", "b": {"c": ["x VALUE"]}}}"#) {
            request, value in
            let found = try request.jsonBody()
            #expect(found == ["a": .string(value), "b": ["c": .array([.string("x " + value)])]])
        },
        Spot(
            name: "a GraphQL variable",
            members: #""body": {"graphql": {"query": "{ a }", "variables": {"v": "VALUE"}, "operationName": "VALUE"}}"#
        ) { request, value in
            let found = try request.jsonBody()
            #expect(
                found == ["query": "{ a }", "variables": ["v": .string(value)], "operationName": .string(value)])
        },
        Spot(name: "a form field", members: #""body": {"form": {"a": "VALUE", "b": ["1", "VALUE"]}}"#) {
            request, value in
            #expect(bytes(request.formFields) == bytes(["a=\(value)", "b=1", "b=\(value)"]))
        },
        Spot(name: "a text", members: #""body": {"text": "x VALUE"}"#) { request, value in
            #expect(bytes([request.body]) == bytes(["x \(value)"]))
            #expect(request.ownFields == [HeaderFields.Field("Content-Type", "text/plain; charset=utf-8")])
        },
        Spot(name: "a part of a form", members: #""body": {"multipart": {"a": "VALUE", "b": "1"}}"#) { request, value in
            let parts = try request.parts()
            #expect(parts.map(\.head) == ["a", "b"].map { ["Content-Disposition: form-data; name=\"\($0)\""] })
            #expect(bytes(parts.map(\.content)) == bytes([value, "1"]))
        },
        Spot(
            name: "the file name of a part",
            members: #""body": {"multipart": {"a": {"text": "1", "filename": "VALUE"}, "b": "2"}}"#,
            refuses: { $0.contains("\0") }
        ) { request, value in
            let parts = try request.parts()
            let line = try #require(parts.first?.head.first)
            #expect(parts.map(\.head.count) == [1, 1])
            #expect(line.hasPrefix(#"Content-Disposition: form-data; name="a"; filename=""#) && line.hasSuffix("\""))
            #expect(line.utf8.count { $0 == UInt8(ascii: "\"") } == 4)
            #expect(parts.map(\.content) == ["1", "2"])
        },
        Spot(
            name: "the type of a part",
            members: #""body": {"multipart": {"a": {"text": "1", "contentType": "text/VALUE"}, "b": "2"}}"#,
            refuses: HostileText.breaksHeader
        ) { request, value in
            let parts = try request.parts()
            #expect(bytes(parts.first?.head.last.map { [$0] } ?? []) == bytes(["Content-Type: text/\(value)"]))
            #expect(parts.map(\.content) == ["1", "2"])
        },
    ]

    /// Two spellings of one character are two texts on the wire.
    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }
}

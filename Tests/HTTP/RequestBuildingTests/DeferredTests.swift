import Foundation
import ReqcliBasics
@_spi(Generated) import RequestBuilding
import Testing

/// Operators that are made with the request, from values of its base.
@Suite struct DeferredTests {
    private let base = RequestBuilder().baseURL("https://api.example.com/v1").value("tenant", "acme")

    @Test func readsAValueOfTheBase() throws {
        let call = RequestBuilder.deferred { values in
            RequestBuilder().path("invoices").header("X-Tenant", try values["tenant"].text)
        }
        let request = try base.appending(call).prepared()
        #expect(request.url.absoluteString == "https://api.example.com/v1/invoices")
        #expect(request.headers["X-Tenant"] == "acme")
    }

    @Test func appliesInThePlaceWhereItStands() throws {
        let builder = base.header("A", "1").deferred { _ in RequestBuilder().header("A", "2").header("B", "2") }
            .header("B", "3")
        #expect(try builder.prepared().headers == ["A": "2", "B": "3"])
    }

    @Test func namesAMissingValue() throws {
        let builder = base.deferred { values in RequestBuilder().header("X", try values["page"].text) }
        let error = #expect(throws: RequestBuildingError.self) { try builder.prepared() }
        #expect((error?.underlying as? RequestValueMissing)?.name == "page")
        #expect(
            error?.reason
                == "there is no value \"page\": make the client with an environment that has one, or add .value(\"page\", …)"
        )
    }

    @Test func doesNotMakeAPartThatALaterOperatorReplaces() throws {
        let isRead = Mutex(false)
        let signed = base.queryItem("a", "1").deferred(.queryItem("key")) { _ in
            isRead.withLock { $0 = true }
            return RequestBuilder().queryItem("key", "secret")
        }.queryItem("b", "2")
        #expect(try signed.queryItem("key", "own").prepared().url.query == "a=1&key=own&b=2")
        #expect(
            try signed.deferred { _ in RequestBuilder().removingQueryItem("key") }.prepared().url.query == "a=1&b=2")
        #expect(isRead.withLock { $0 } == false)
        #expect(try signed.prepared().url.query == "a=1&key=secret&b=2")
    }

    @Test func readsNoTokenThatALaterLayerReplaces() throws {
        let isRead = Mutex(false)
        let staging = RequestBuilder().withOrigin(Origin(layer: "staging", file: "staging.plist")) {
            $0.baseURL("https://staging.example.com").header("Accept", "*/*").deferred(.header("Authorization")) { _ in
                isRead.withLock { $0 = true }
                return RequestBuilder().authorization(bearer: "t")
            }
        }
        let call = RequestBuilder().withOrigin(Origin(layer: "call")) {
            $0.path("invoices").header("Accept", "application/json")
        }
        let layers = staging.appending(call)
        #expect(try layers.removingHeader("Authorization").prepared().headers == ["Accept": "application/json"])
        #expect(isRead.withLock { $0 } == false)
        #expect(try layers.prepared().headers == ["Accept": "application/json", "Authorization": "Bearer t"])
        let accept = try #require(layers.history().first { $0.subject == .header("accept") })
        #expect(accept.standing.map(\.origin?.layer) == ["call"])
        #expect(accept.shadowed.map(\.origin?.layer) == ["staging"])
    }

    @Test(
        "operators of several parts are made while one of the parts is needed",
        arguments: [
            ([], "https://api.example.com:8443/v1", true), (["scheme"], "http://api.example.com:8443/v1", true),
            (["scheme", "host", "port"], "http://h/v1", true),
            (["scheme", "host", "port", "basePath"], "http://h/", false),
        ])
    func severalParts(replaced: [String], url: String, isMade: Bool) throws {
        let isAsked = Mutex(false)
        let parts = [RequestSubject.scheme, .host, .port, .basePath].map { subject in
            DeferredOperators.Part(subject) { "{{server}}" }
        }
        let server = RequestBuilder().deferred(parts) { _ in
            isAsked.withLock { $0 = true }
            return RequestBuilder().baseURL("https://api.example.com:8443/v1")
        }
        let later = replaced.reduce(server) { builder, part in
            switch part {
            case "scheme": builder.scheme("http")
            case "host": builder.host("h")
            case "port": builder.port(nil)
            default: builder.basePath("/")
            }
        }
        #expect(try later.prepared().url.absoluteString == url)
        #expect(isAsked.withLock { $0 } == isMade)
        if !isMade {
            #expect(later.resolved(RequestValues(of: later)).builder.history()[0].shadowed[0].value == "{{server}}")
        }
    }

    @Test func leavesTheValueOfAnEarlierLayerIfItHasNone() throws {
        let builder = base.deferred(.header("A")) { _ in RequestBuilder().header("A", "1") }
            .deferred(.header("A")) { _ in RequestBuilder() }
        #expect(try builder.prepared().headers == ["A": "1"])
    }

    @Test func leavesAPartOpenWhoseValueIsUnknown() {
        let builder = base.header("A", "1").deferred(.header("A")) { _ in throw ValueUnknown() }.header("B", "2")
        let resolved = builder.resolved(RequestValues(of: builder))
        #expect(resolved.unknown == [.header("A")])
        #expect(resolved.builder.history().last { $0.subject == .header("A") }?.shadowed.map(\.value) == ["1"])
    }

    @Test(
        "a body that replaces only the content keeps the Content-Type, and brings one if there is none",
        arguments: [
            (nil, "text/plain"), ("body", "application/json"), ("header", "text/csv"), ("no header", nil),
            ("no body", "text/plain"),
        ] as [(String?, String?)])
    func contentOnly(before: String?, type: String?) throws {
        let earlier =
            switch before {
            case "body": base.body(Data("{}".utf8), contentType: "application/json")
            case "header": base.body(Data("a".utf8), contentType: "text/html").header("Content-Type", "text/csv")
            case "no header": base.body(Data("{}".utf8), contentType: "application/json").removingHeader("Content-Type")
            case "no body": base.body(Data("{}".utf8), contentType: "application/json").removingBody()
            default: base
            }
        let builder = earlier.bodyContent(.data(Data("x".utf8)), fallbackType: "text/plain")
        let request = try builder.prepared()
        #expect(request.body?.data == Data("x".utf8))
        #expect(request.headers["Content-Type"] == type)
        let standing = builder.history().first { $0.subject == .header("Content-Type") }?.standing.last
        #expect(standing?.value == type)
    }

    @Test func makesAValueOnceForARequest() throws {
        let count = Mutex(0)
        let builder = base.value("trace") { values in
            count.withLock { $0 += 1 }
            return .string("\(try values["tenant"].text)-\(count.withLock(\.self))")
        }.deferred { values in
            RequestBuilder().header("A", try values["trace"].text).header("B", try values["trace"].text)
        }
        #expect(try builder.prepared().headers == ["A": "acme-1", "B": "acme-1"])
        #expect(try builder.prepared().headers == ["A": "acme-2", "B": "acme-2"])
    }

    @Test func refusesAValueThatNeedsItself() {
        let builder = base.value("a") { try $0["b"] }.value("b") { try $0["a"] }.deferred { values in
            RequestBuilder().header("X", try values["a"].text)
        }
        let error = #expect(throws: RequestBuildingError.self) { try builder.prepared() }
        #expect(error?.reason == "the value \"a\" depends on itself")
    }

    @Test func writesJSONInOrderAndLeavesOutNil() {
        let age: Int? = nil
        let value: JSONLiteral = [
            "z": .string("a\"\\\n\u{1}é"), "age": age.map { .number($0) }, "n": .null,
            "list": [1, 1.5, true, .array([])],
            "big": .number(text: "1.50"), "whole": .number(1000.0),
        ]
        #expect(
            value.compact
                == #"{"z":"a\"\\\n\u0001é","n":null,"list":[1,1.5,true,[]],"big":1.50,"whole":1000}"#)
        #expect(JSONLiteral.array(["a", 1]).texts == ["a", "1"])
    }

    @Test(arguments: [
        ("a/b", "/users/a%2Fb/feed"), ("..", "/users/%2E%2E/feed"), ("é?#%2F", "/users/%C3%A9%3F%23%252F/feed"),
    ])
    func keepsAValueInsideItsSegment(value: String, path: String) throws {
        #expect(try base.path(filling: "/users/\(value)/feed").prepared().url.path(percentEncoded: true) == path)
        let segments = base.path(fillingSegments: ["users", nil, "\(value)", "feed"])
        #expect(try segments.prepared().url.path(percentEncoded: true) == "/v1" + path)
    }

    @Test func refusesAPathWithAnEmptyOrMissingValue() {
        let none: String? = nil
        for path: PathText in ["users/\("")/feed", "users/\(none)"] {
            let error = #expect(throws: RequestBuildingError.self) { try base.path(filling: path).prepared() }
            #expect(error?.kind == .invalidPath)
        }
    }

    // MARK: Asynchronous values

    @Test func awaitsAValueOnlyForARequestThatNeedsIt() async throws {
        let calls = Mutex(0)
        let base = base.awaitedValue(
            "secret.token",
            {
                calls.withLock { $0 += 1 }; return "t0ken"
            }, of: "API.staging")
        let signed = base.deferred(.header("Authorization")) { values in
            RequestBuilder().authorization(bearer: try values["secret.token"].text)
        }
        let anonymous = try await signed.removingHeader("Authorization").awaitingValues().prepared()
        #expect(anonymous.headers["Authorization"] == nil)
        #expect(calls.withLock { $0 } == 0)
        let request = try await signed.awaitingValues().prepared()
        #expect(request.headers["Authorization"] == "Bearer t0ken")
        #expect(calls.withLock { $0 } == 1)
        let error = #expect(throws: RequestBuildingError.self) { try signed.prepared() }
        #expect(error?.reason.contains("\"secret.token\" is made asynchronously") == true)
    }

    @Test func awaitsAValueThatAnotherValueReads() async throws {
        let builder = base.awaitedValue("secret.token", { "t" }, of: "API.staging")
            .value("key") { values in .string("k-" + (try values["secret.token"].text)) }
            .deferred { values in RequestBuilder().header("X", try values["key"].text) }
        #expect(try await builder.awaitingValues().prepared().headers["X"] == "k-t")
    }

    @Test func aValueThatWasNotGivenIsNamedWhereItIsNeeded() async throws {
        let base = base.awaitedValue("secret.token", nil, of: "API.staging")
        _ = try await base.awaitingValues().prepared()
        let error = await #expect(throws: RequestBuildingError.self) {
            try await base.deferred { values in RequestBuilder().header("X", try values["secret.token"].text) }
                .awaitingValues().prepared()
        }
        #expect(
            error?.reason
                == "the secret \"token\" was not given, and this request needs it: give API.staging a closure for it")
    }

    @Test func theErrorOfAnAsynchronousClosureIsThrown() async {
        struct Locked: Error {}
        let builder = base.awaitedValue("secret.token", { throw Locked() }, of: "API.staging")
            .deferred { values in RequestBuilder().header("X", try values["secret.token"].text) }
        await #expect(throws: Locked.self) { try await builder.awaitingValues() }
    }

    @Test func writesAValueOfTheAppAsJSON() throws {
        struct Event: Encodable {
            var title: String
            var at: Date
            var note: String?
        }
        let event = Event(title: "a/b", at: Date(timeIntervalSince1970: 0.5))
        let request = try base.deferred { values in RequestBuilder().body(json: try values.json(event)) }.prepared()
        #expect(request.body?.data == Data(#"{"at":"1970-01-01T00:00:00.500Z","title":"a/b"}"#.utf8))
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:01Z", 1), ("1970-01-01t00:00:01.25z", 1.25), ("1970-01-01 02:00:00+02:00", 0),
            ("1969-12-31T19:00:00-05:00", 0), ("1970-01-01", nil), ("1970-01-01T00:00:01", nil),
            ("1970-01-01T00:00:01.Z", nil), ("1970-02-30T00:00:01Z", nil), ("1970-01-01T00:00:01+2:00", nil),
        ] as [(String, Double?)])
    func readsATimeOfRFC3339(text: String, seconds: Double?) {
        #expect(Timestamp.seconds(rfc3339: text) == seconds)
    }

    @Test(arguments: [0, 1.5, -0.25, 1_790_000_000.123])
    func writesATimeThatIsReadBack(seconds: Double) {
        #expect(Timestamp.seconds(rfc3339: Timestamp.rfc3339(seconds)) == seconds)
    }
}

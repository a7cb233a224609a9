import Calling
import Checking
import ReqcliDefinitions
import ReqcliMatching
import ReqcliRedaction
import ReqcliText
import RequestBuilding
import Testing

struct CaptureTests {
    static func read(_ captures: String, _ answer: ReceivedResponse) throws -> CaptureReader.Values {
        let endpoint = try Workshop.required(
            Workshop.endpoints("{\"capture\": \(captures)}").first, "an endpoint with \(captures)")
        let reader = try Workshop.required(CaptureReader.compile(endpoint).value, "captures")
        return reader.read(answer, Excerpts(Redactor([])))
    }

    @Test("A value is taken out of the body, a header or the status, and keeps its type")
    func values() throws {
        let answer = ReceivedResponse(
            status: 201, headers: ["Location": "/users/7"],
            body: ReceivedBody(Array(#"{"user": {"id": 7.0, "tags": ["a"]}}"#.utf8)))
        let read = try Self.read(
            """
            {"id": {"json": "$.user.id"}, "tags": {"json": "$.user.tags"}, "where": {"header": "location"},
             "status": {"status": true}, "all": {"body": true}}
            """, answer)
        #expect(read.problems == [])
        #expect(read.values["id"] == .number("7.0"))
        #expect(read.values["tags"] == ["a"])
        #expect(read.values["where"] == "/users/7")
        #expect(read.values["status"] == 201)
        #expect(read.values["all"] == .string(#"{"user": {"id": 7.0, "tags": ["a"]}}"#))
    }

    @Test("A part of a header, a cookie and the final URL can be taken, too")
    func otherSources() throws {
        let answer = ReceivedResponse(
            status: 200, headers: ["Link": "</a>; rel=prev, </b?page=3>; rel=next"],
            setCookies: ["sid=old", "SID=other", "sid=a=b ; Path=/; HttpOnly", "csrf=c1"], url: "https://h/after?a=b")
        let read = try Self.read(
            """
            {"page": {"header": "Link", "match": "[0-9]+"}, "session": {"cookie": "sid"}, "at": {"url": true},
             "csrf": {"cookie": "csrf", "secret": false}}
            """, answer)
        #expect(read.problems == [])
        #expect(read.values == ["page": "3", "session": "a=b", "at": "https://h/after?a=b", "csrf": "c1"])
        // A cookie is a secret unless the file says otherwise.
        #expect(read.secrets == [Redactor.Secret(label: "a.session", value: "a=b")])
    }

    @Test("What is marked as secret is told as one")
    func secret() throws {
        let read = try Self.read(
            #"{"token": {"json": "$.t", "secret": true}, "id": {"json": "$.id"}}"#, .json(#"{"t": "s3cret", "id": 1}"#))
        #expect(read.secrets == [Redactor.Secret(label: "a.token", value: "s3cret")])
    }

    @Test(
        "A capture that finds nothing says what it found, and where it stands",
        arguments: [
            (#"{"t": {"json": "$.token"}}"#, ReceivedResponse.json("{}"), "found nothing at $.token", 28),
            (#"{"t": {"json": "$.token"}}"#, ReceivedResponse.json(#"{"token": null}"#), "found null at $.token", 28),
            (#"{"t": {"json": "$[*]"}}"#, ReceivedResponse.json("[1, 2]"), "found 2 values at $[*]", 28),
            (#"{"t": {"json": "$.token"}}"#, ReceivedResponse.text("<html>"), "found no JSON", 28),
            (#"{"t": {"json": "$.token"}}"#, ReceivedResponse.text(""), "found an empty body", 28),
            (#"{"t": {"header": "X-Token"}}"#, ReceivedResponse.json("{}"), "found no header X-Token", 30),
            (
                #"{"t": {"header": "X-M"}}"#, ReceivedResponse.text("", headers: ["X-M": "1", "x-m": "2"]),
                "found 2 values of X-M", 30
            ),
            (
                #"{"t": {"header": "ETag", "match": "[0-9]+"}}"#, ReceivedResponse.text("", headers: ["ETag": "abc"]),
                #"found no "[0-9]+" in the header ETag"#, 30
            ),
            (
                #"{"t": {"header": "ETag", "match": "[0-9]*"}}"#, ReceivedResponse.text("", headers: ["ETag": "abc"]),
                #"found no "[0-9]*" in the header ETag"#, 30
            ),
            (
                #"{"t": {"cookie": "sid"}}"#, ReceivedResponse.text("", headers: ["Set-Cookie": "id=1"]),
                "found no cookie sid", 30
            ),
            (
                #"{"t": {"cookie": "sid"}}"#, ReceivedResponse.text("", headers: ["Set-Cookie": "sid=; Max-Age=0"]),
                "found an empty cookie sid", 30
            ),
            (#"{"t": {"url": true}}"#, ReceivedResponse.text(""), "found no URL", 14),
            (#"{"t": {"body": true}}"#, ReceivedResponse.text(""), "found an empty body", 14),
            (
                #"{"t": {"body": true}}"#, ReceivedResponse(status: 200, body: ReceivedBody([0xFF])),
                "found a body that can't be checked: it is not valid UTF-8, and its Content-Type names no charset", 14
            ),
        ] as [(String, ReceivedResponse, String, Int)])
    func nothing(_ captures: String, _ answer: ReceivedResponse, _ found: String, _ column: Int) throws {
        let read = try Self.read(captures, answer)
        #expect(read.values.isEmpty)
        #expect(read.problems.map(\.message) == ["the capture \"t\" of a \(found)"])
        #expect(read.problems.first?.place?.description == "endpoints/a.json:1:\(column)")
    }

    @Test("The hint shows what was there instead")
    func hint() throws {
        let read = try Self.read(#"{"t": {"json": "$.token"}}"#, .json(#"{"tokn": 1}"#, status: 401))
        #expect(read.problems.first?.hint == #"the response (401) is "{\"tokn\": 1}""#)
    }

    @Test(
        "Where a secret isn't found as it should be, nobody knows what else is one: no value of the answer is told",
        arguments: [
            (
                #"{"t": {"json": "$.token", "secret": true}}"#, #"{"tokn": "tok-123456", "n": {"a": 1}}"#,
                "found nothing at $.token",
                "the response (200) has the keys tokn, n; the values are not shown, because one may be the secret"
            ),
            (
                #"{"t": {"json": "$.token", "secret": true}}"#, #"{"token": null, "tokn": "tok-123456"}"#,
                "found null at $.token",
                "the response (200) has the keys token, tokn; the values are not shown, because one may be the secret"
            ),
            (
                #"{"t": {"json": "$.token", "secret": true}}"#, #"["tok-123456"]"#, "found nothing at $.token",
                "the response (200) is an array; the values are not shown, because one may be the secret"
            ),
            (
                #"{"t": {"json": "$.token", "secret": true}}"#, "token=tok-123456", "found no JSON",
                "the response (200) is not shown, because it may hold the secret"
            ),
            (
                #"{"t": {"json": "$[*]", "secret": true}}"#, #"["tok-123456", "b"]"#, "found 2 values at $[*]",
                "a capture takes a single value: [0] selects the first one"
            ),
        ])
    func lostSecret(_ captures: String, _ body: String, _ found: String, _ hint: String) throws {
        let read = try Self.read(captures, .json(body))
        #expect(read.problems.map(\.message) == ["the capture \"t\" of a \(found)"])
        #expect(read.problems.first?.hint == hint)
    }

    @Test("Of a secret that is an object or a list, each text in it is one as well, and each number of some length")
    func secretParts() throws {
        let written = #"{ "key": "tok-1", "list": [ "p\/q", 123456, 12, true, null, "" ] }"#
        let read = try Self.read(#"{"t": {"json": "$.t", "secret": true}}"#, .json("{\"t\": \(written)}"))
        #expect(
            Set(read.secrets.map(\.value)) == [
                written, #"{"key":"tok-1","list":["p/q",123456,12,true,null,""]}"#, "tok-1", "p/q", "123456",
            ])
        #expect(Set(read.secrets.map(\.label)) == ["a.t"])
    }
}

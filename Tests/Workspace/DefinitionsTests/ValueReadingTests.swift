import ReqcliDefinitions
import ReqcliFunctions
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

/// Small texts with a grammar of their own.
@Suite struct ValueReadingTests {
    static let durations: [(text: String, duration: Duration?)] = [
        ("30", .seconds(30)), ("0.5", .milliseconds(500)), ("250ms", .milliseconds(250)), ("30s", .seconds(30)),
        ("2m", .seconds(120)), ("1h", .seconds(3600)), ("1.5s", .milliseconds(1500)), ("0", .zero),
        // `.seconds(0.7)` is not.
        ("0.7", .milliseconds(700)),
        ("744h", .seconds(744 * 3600)), ("745h", nil), ("", nil), ("s", nil), ("5 s", nil), ("5S", nil), ("05s", nil),
        ("-5s", nil), ("1e3", nil), (".5s", nil), ("5.s", nil), ("5d", nil), ("٣s", nil), ("1m30s", .seconds(90)),
        ("1h30m", .seconds(5400)), ("1h2m3.5s", .milliseconds(3_723_500)), ("1h5s", .seconds(3605)),
        ("0m0s", .zero), ("1m2m", nil), ("30s1m", nil), ("1h30", nil), ("1.5h30m", nil), ("01m30s", nil),
        ("1m-3s", nil), ("1m.5s", nil), ("1s500ms", nil), ("1m 30s", nil), ("743h60m1s", nil),
    ]

    @Test("durations: seconds, a number with a unit, or hours, minutes and seconds together", arguments: durations)
    func duration(text: String, duration: Duration?) {
        #expect(DurationText.parse(text) == duration)
    }

    static let written: [(Duration, String)] = [
        (.seconds(10), "10s"), (.milliseconds(800), "800ms"), (.milliseconds(1500), "1.5s"), (.zero, "0ms"),
        (.microseconds(1500), "1.5ms"), (.seconds(120), "120s"),
    ]

    @Test("durations are written in a form that is read back", arguments: written)
    func writesDuration(duration: Duration, text: String) {
        #expect(duration.text == text)
        #expect(DurationText.parse(text) == duration)
    }

    static let base64Texts: [(text: String, decoded: String?)] = [
        ("", ""), ("aGVsbG8=", "hello"), ("aGVsbG8", "hello"), ("aGk=", "hi"), ("aG\nk=", "hi"), ("YQ==", "a"),
        ("YWJj", "abc"), ("Y", nil), ("YQ=", nil), ("YQ=a", nil), ("YWJj=", nil), ("a-b_", nil), ("é", nil), ("=", nil),
    ]

    @Test("base64, with or without padding, in lines or not", arguments: base64Texts)
    func base64(text: String, decoded: String?) {
        #expect(Base64.decode(text) == decoded.map { Array($0.utf8) })
    }

    static let addresses = [
        "http://localhost:8080/api", "https://a.example", "HTTPS://A.example/", "http://[::1]:8080/a:b",
        "http://[fe80::1.2.3.4]", "http://é.example/a b",
    ]

    @Test("base URLs are accepted", arguments: addresses)
    func address(text: String) {
        #expect(ServerAddress.complaint(about: text) == nil)
    }

    static let noAddresses = [
        "", "localhost", "//a", "ws://a", "http://", "http://:80", "http://a:", "http://a:0", "http://a:+1",
        "http://a:٣",
        "http://a b", "http://::1", "http://[x]", "http://[1]", "http://a/?b", "http://a/#b", "http://u@a",
        "http://a%20b",
    ]

    @Test("what is no base URL is refused, with a reason", arguments: noAddresses)
    func noAddress(text: String) {
        #expect(ServerAddress.complaint(about: text) != nil)
    }

    @Test("null and a value are told apart from silence")
    func settings() {
        let workspace = Workspace.inMemory([
            (
                "endpoints/a.json",
                #"{"timeout": null, "auth": {"bearer": "t"}, "headers": {"A": null, "B": "", "C": ["1", 2]}, "path": null}"#
            )
        ])
        guard case .found(let endpoint) = workspace.endpoint("a").value else {
            Issue.record("a is not there")
            return
        }
        let request = endpoint.definition.request
        #expect(request.layer.retry == nil)
        #expect(request.layer.timeout != nil && request.layer.timeout?.set == nil)
        #expect(request.path != nil && request.path?.set == nil)
        #expect(request.layer.auth?.set != nil)
        #expect(
            request.layer.headers.map {
                "\($0.name)=\($0.value.set?.map(\.source.compact).description ?? "null")"
            }
                == ["A=null", #"B=["\"\""]"#, #"C=["\"1\"", "2"]"#])
    }

    @Test("values are kept as they were written: order of keys, numbers, comments in data")
    func fidelity() {
        let json = #"{"z":1.50,"a":[1e2,null,{"$comment":"data"}],"é":"\\{{x}}"}"#
        let workspace = Workspace.inMemory([
            ("endpoints/a.json", #"{"body": {"json": \#(json)}, "stubs": {"variants": {"a": {"json": \#(json)}}}}"#)
        ])
        guard case .found(let endpoint) = workspace.endpoint("a").value,
            case .json(let body)? = endpoint.definition.request.body?.set?.content,
            case .json(let stub)? = endpoint.definition.stubs?.variants[named: "a"]?.body
        else {
            Issue.record("the bodies are not there")
            return
        }
        #expect(body.source.compact == json)
        #expect(body.literal?.compact == json.replacing(#"\\{{x}}"#, with: "{{x}}"))
        #expect(OrderedJSON(stub).compact == json)
    }

    @Test("nesting up to the reader's limit is decoded and validated")
    func deepNesting() {
        let brackets = String(repeating: "[", count: 500) + #""{{$uuid}}""# + String(repeating: "]", count: 500)
        let steps = String(repeating: #"{"sequence": ["#, count: 240) + String(repeating: "]}", count: 240)
        let workspace = Workspace.inMemory([
            (
                "endpoints/a.json",
                #"{"body": {"json": \#(brackets)}, "stubs": {"variants": {"a": \#(steps.replacing("[]", with: "[{}]"))}}}"#
            )
        ])
        #expect(lines(workspace.validate().diagnostics) == [])
    }
}

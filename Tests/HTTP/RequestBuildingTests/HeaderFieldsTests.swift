import ReqcliNetworking
import RequestBuilding
import Testing

@Suite struct HeaderFieldsTests {
    private let base = URL(string: "http://h/")

    private func request(_ fields: HeaderFields) throws -> PreparedRequest {
        try fields.reduce(RequestBuilder.get("")) { $0.addingHeader($1.name, $1.value) }.prepared(baseURL: base)
    }

    @Test("a request keeps the order, spelling and repetition of headers")
    func survive() throws {
        let fields: HeaderFields = ["x-b": "1", "X-A": "", "X-B": "a, b", "Accept": "é", "x-a": "=&#%"]
        #expect(try request(fields).headers == fields)
    }

    @Test("a URLRequest has the same headers, with repeated values joined")
    func dictionary() throws {
        let request = try request(["X-B": "1", "X-A": "", "x-b": "2", "Cookie": "a=1", "cookie": "b=2"]).urlRequest
        #expect(request.allHTTPHeaderFields == ["X-B": "1, 2", "X-A": "", "Cookie": "a=1; b=2"])
    }

    @Test("a request made by the builder equals the same URLRequest made by hand")
    func madeByHand() throws {
        let built = try RequestBuilder.post("").header("B", "1").header("A", "2").body(Data("x".utf8))
            .makeRequest(baseURL: base)
        var byHand = URLRequest(url: try #require(base))
        byHand.httpMethod = "POST"
        byHand.setValue("2", forHTTPHeaderField: "A")
        byHand.setValue("1", forHTTPHeaderField: "B")
        byHand.httpBody = Data("x".utf8)
        #expect(built == byHand)
        #expect(built.mainDocumentURL == nil)
        #expect(try PreparedRequest(built) == PreparedRequest(byHand))
    }

    @Test("a value that a closure sets replaces the header in place; one that it adds comes after it")
    func changedInURLRequest() throws {
        let builder = RequestBuilder.get("").addingHeader("A", "1").addingHeader("B", "2").addingHeader("a", "3")
            .addingHeader("C", "4")
        func headers(_ change: @escaping @Sendable (inout URLRequest) -> Void) throws -> HeaderFields {
            try builder.modifyURLRequest { change(&$0) }.prepared(baseURL: base).headers
        }
        #expect(try headers { $0.timeoutInterval = 3 } == ["A": "1", "B": "2", "a": "3", "C": "4"])
        #expect(try headers { $0.setValue("new", forHTTPHeaderField: "a") } == ["A": "new", "B": "2", "C": "4"])
        #expect(try headers { $0.setValue(nil, forHTTPHeaderField: "a") } == ["B": "2", "C": "4"])
        let added = try headers {
            $0.addValue("5", forHTTPHeaderField: "A")
            $0.addValue("6", forHTTPHeaderField: "D")
        }
        #expect(added == ["A": "1", "B": "2", "a": "3", "a": "5", "C": "4", "D": "6"])
    }

    @Test("a timeout that a closure sets holds, also the default of a URLRequest", arguments: [60, 2.5])
    func ownTimeout(_ seconds: Double) throws {
        func timeouts(_ change: @escaping @Sendable (inout URLRequest) -> Void) throws -> Timeouts {
            try RequestBuilder.get("").modifyURLRequest { change(&$0) }.prepared(baseURL: base).transfer.timeouts
        }
        #expect(try timeouts { $0.timeoutInterval = seconds }.total == .seconds(seconds))
        #expect(try timeouts { $0.mainDocumentURL = nil }.total == nil)
        #expect(try timeouts { $0.setValue("1", forHTTPHeaderField: "A") }.total == nil)
    }

    @Test("a request made from a URLRequest keeps everything in it")
    func foreignRequest() throws {
        var request = URLRequest(url: try #require(base))
        request.httpMethod = "PURGE"
        request.allHTTPHeaderFields = ["B": "2", "A": "1", "C": "3"]
        request.httpBodyStream = InputStream(data: Data("streamed".utf8))
        request.timeoutInterval = 2.5
        let prepared = try PreparedRequest(request)
        #expect(prepared.headers == ["A": "1", "B": "2", "C": "3"])
        #expect(prepared.method.token == "PURGE")
        #expect(prepared.body == .data(Data("streamed".utf8)))
        #expect(prepared.transfer.timeouts == Timeouts(connect: .seconds(10), idle: .seconds(60), total: .seconds(2.5)))
        request.httpMethod = "connect"
        #expect(throws: RequestBuildingError.self) { try PreparedRequest(request) }
    }

    @Test("properties that only Foundation reads are kept")
    func mainDocument() throws {
        let request = try RequestBuilder.get("").headers(["A": "1", "B": "2"])
            .modifyURLRequest { $0.mainDocumentURL = URL(string: "http://page.example/x") }
            .header("C", "3").prepared(baseURL: base)
        #expect(request.urlRequest.mainDocumentURL?.host == "page.example")
        #expect(request.headers.map(\.name) == ["A", "B", "C"])
    }

    @Test("header fields made from a dictionary are sorted by name")
    func fromDictionary() {
        #expect(HeaderFields(["B": "2", "A": "1"]) == ["A": "1", "B": "2"])
    }

    @Test("printing header fields hides credentials")
    func printed() {
        let fields: HeaderFields = ["A": "1", "authorization": "Bearer s3cr3t", "Cookie": "id=s3cr3t"]
        #expect("\(fields)" == "A: 1\nauthorization: Bearer ***\nCookie: ***")
    }

    @Test("a header whose value is nil is not sent")
    func noValue() throws {
        let builder = RequestBuilder.get("").header("A", nil).header("B", "1").header("B", nil).addingHeader("B", nil)
        #expect(try builder.prepared(baseURL: base).headers == ["B": "1"])
    }

    @Test("whitespace around a header value is trimmed")
    func blanks() throws {
        #expect(try request(["A": " \t b c \t"]).headers == ["A": "b c"])
        #expect(try request(["A": " "]).headers == ["A": ""])
    }

    @Test(
        "a control character in a header value is rejected with its position, and the value is not shown",
        arguments: [
            ("ab\rc", "CR", 3), ("\nInjected: 1", "LF", 1), ("secret\0", "NUL", 7), ("a\r\nb", "CR", 2),
            ("\u{B}", "U+000B", 1),
        ])
    func refusedValues(value: String, name: String, place: Int) {
        let error = #expect(throws: RequestBuildingError.self) {
            try RequestBuilder().header("X-A", value).prepared(baseURL: base)
        }
        #expect(error?.kind == .invalidHeaderValue)
        #expect(
            error?.description
                == "header: header X-A: the value contains \(name) at character \(place), which can't be sent in a header"
        )
    }

    @Test(
        "a header name that is not a token is rejected",
        arguments: [
            ("", "empty"), ("a b", "a space"), ("a:", "\":\""), ("@x", "\"@\""), ("é", "U+00E9"), ("a\n", "LF"),
        ])
    func refusedNames(name: String, says: String) {
        for builder in [RequestBuilder().header(name, "v"), RequestBuilder().addingHeader(name, "v")] {
            let error = #expect(throws: RequestBuildingError.self) { try builder.prepared(baseURL: base) }
            #expect(error?.kind == .invalidHeaderName)
            #expect(error?.description.contains(says) == true)
        }
    }

    @Test("headers that a closure sets are checked too")
    func doorIsChecked() {
        let error = #expect(throws: RequestBuildingError.self) {
            try RequestBuilder().modifyURLRequest("sign") { $0.allHTTPHeaderFields = ["X-S": "a\r\nb"] }
                .prepared(baseURL: base)
        }
        #expect(error?.operatorName == "sign")
        #expect(error?.kind == .invalidHeaderValue)
    }
}

import Foundation
import RequestBuilding
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct HeaderFieldsTests {
    private let base = URL(string: "http://h/")

    private func request(_ fields: HeaderFields) throws -> URLRequest {
        try fields.reduce(RequestBuilder.get("")) { $0.addingHeader($1.name, $1.value) }.makeRequest(baseURL: base)
    }

    @Test("order, spelling and repetition survive in the request")
    func survive() throws {
        let fields: HeaderFields = ["x-b": "1", "X-A": "", "X-B": "a, b", "Accept": "é", "x-a": "=&#%"]
        #expect(try request(fields).headerFields == fields)
    }

    @Test("the dictionary says the same with repeated values joined")
    func dictionary() throws {
        let request = try request(["X-B": "1", "X-A": "", "x-b": "2", "Cookie": "a=1", "cookie": "b=2"])
        #expect(request.allHTTPHeaderFields == ["X-B": "1, 2", "X-A": "", "Cookie": "a=1; b=2"])
    }

    @Test("copies of a request keep the order and change apart")
    func copies() throws {
        let original = try request(["B": "1", "A": "2", "C": "3"])
        var copy = original
        copy.httpMethod = "PUT"
        copy.timeoutInterval = 3
        #expect(copy.headerFields.map(\.name) == ["B", "A", "C"])
        copy.headerFields.remove("A")
        #expect(copy.headerFields.map(\.name) == ["B", "C"])
        #expect(original.headerFields.map(\.name) == ["B", "A", "C"])
    }

    @Test("a value set later by Foundation's own means replaces all lines of its name, in place")
    func setLater() throws {
        var request = try request(["A": "1", "B": "2", "a": "3", "C": "4"])
        request.setValue("new", forHTTPHeaderField: "a")
        #expect(request.headerFields.map(\.value) == ["new", "2", "4"])
        request.setValue(nil, forHTTPHeaderField: "b")
        #expect(request.headerFields.map(\.value) == ["new", "4"])
    }

    @Test("a value added later by Foundation's own means follows the lines of its name")
    func addedLater() throws {
        var request = try request(["A": "1", "B": "2", "A": "3", "C": "4"])
        request.addValue("5", forHTTPHeaderField: "A")
        request.addValue("6", forHTTPHeaderField: "D")
        #expect(request.headerFields == ["A": "1", "B": "2", "A": "3", "A": "5", "C": "4", "D": "6"])
    }

    @Test("headers of a request that was not built here are read from its dictionary, in the order of their names")
    func foreignRequest() throws {
        var request = URLRequest(url: try #require(base))
        request.allHTTPHeaderFields = ["B": "2", "A": "1", "C": "3"]
        #expect(request.headerFields == ["A": "1", "B": "2", "C": "3"])
    }

    @Test("a page that the caller named as main document stays named")
    func mainDocument() throws {
        let request = try RequestBuilder.get("").headers(["A": "1", "B": "2"])
            .modifyURLRequest { $0.mainDocumentURL = URL(string: "http://page.example/x") }
            .makeRequest(baseURL: base)
        #expect(request.mainDocumentURL?.host == "page.example")
        #expect(request.headerFields.map(\.name) == ["A", "B"])
    }

    @Test("blanks around a value are not part of it")
    func blanks() throws {
        #expect(try request(["A": " \t b c \t"]).headerFields == ["A": "b c"])
        #expect(try request(["A": " "]).headerFields == ["A": ""])
    }

    @Test(
        "CR, LF, NUL and their like in a value are refused, by name and place, without repeating the value",
        arguments: [
            ("ab\rc", "CR", 3), ("\nInjected: 1", "LF", 1), ("secret\0", "NUL", 7), ("a\r\nb", "CR", 2),
            ("\u{B}", "U+000B", 1),
        ])
    func refusedValues(value: String, name: String, place: Int) {
        let error = #expect(throws: RequestBuildingError.self) {
            try RequestBuilder().header("X-A", value).makeRequest(baseURL: base)
        }
        #expect(error?.code == .invalidHeaderValue)
        #expect(
            error?.description
                == "header: header X-A: the value contains \(name) at character \(place), which can't be sent in a header"
        )
    }

    @Test(
        "a name that is not a token is refused",
        arguments: [
            ("", "empty"), ("a b", "a space"), ("a:", "\":\""), ("@x", "\"@\""), ("é", "U+00E9"), ("a\n", "LF"),
        ])
    func refusedNames(name: String, says: String) {
        for builder in [RequestBuilder().header(name, "v"), RequestBuilder().addingHeader(name, "v")] {
            let error = #expect(throws: RequestBuildingError.self) { try builder.makeRequest(baseURL: base) }
            #expect(error?.code == .invalidHeaderName)
            #expect(error?.description.contains(says) == true)
        }
    }

    @Test("what a closure puts into the dictionary is checked as well")
    func doorIsChecked() {
        let error = #expect(throws: RequestBuildingError.self) {
            try RequestBuilder().modifyURLRequest("sign") { $0.allHTTPHeaderFields = ["X-S": "a\r\nb"] }
                .makeRequest(baseURL: base)
        }
        #expect(error?.operatorName == "sign")
        #expect(error?.code == .invalidHeaderValue)
    }
}

@Suite struct RequestOptionTests {
    enum Redirects: RequestOption {
        typealias Value = Int
        static let name = "redirects"
    }

    enum Verification: RequestOption {
        enum Value: String { case full, none }
        static let name = "verification & more"
    }

    @Test("an option travels with the request and its copies, typed")
    func travels() throws {
        let builder = RequestBuilder().option(Redirects.self, 3).option(Verification.self, Verification.Value.none)
        let request = try builder.makeRequest(baseURL: URL(string: "http://h/"))
        var copy = request
        copy[option: Redirects.self] = 5
        copy.setValue("1", forHTTPHeaderField: "A")
        #expect(request[option: Redirects.self] == 3)
        #expect(request[option: Verification.self] == Verification.Value.none)
        #expect(copy[option: Redirects.self] == 5)
        #expect(copy.headerFields == ["A": "1"])
    }

    @Test("options are the same where every byte of their texts is")
    func sameOptions() throws {
        func options(_ text: String) throws -> AttachedOptions {
            try RequestBuilder().option(CertificateFile.self, text).option(Redirects.self, 3)
                .makeRequest(baseURL: URL(string: "http://h/")).options
        }
        #expect(try options("\u{E9}.pem") == options("\u{E9}.pem"))
        // Equal as Swift compares strings, and two files.
        #expect(try options("\u{E9}.pem") != options("e\u{301}.pem"))
    }

    enum CertificateFile: RequestOption {
        typealias Value = String
        static let name = "certificate"
    }

    @Test("one that is attached to a finished request leaves its headers and other options as they are")
    func attached() throws {
        let builder = RequestBuilder().addingHeader("B", "1").addingHeader("a", "2").addingHeader("B", "3")
            .option(Redirects.self, 3)
        var request = try builder.makeRequest(baseURL: URL(string: "http://h/"))
        #expect(request[option: Verification.self] == nil)
        request[option: Verification.self] = .full
        #expect(request[option: Verification.self] == .full)
        #expect(request[option: Redirects.self] == 3)
        #expect(request.headerFields == ["B": "1", "a": "2", "B": "3"])
        request[option: Verification.self] = Verification.Value.none
        request[option: Redirects.self] = nil
        #expect(request[option: Verification.self] == Verification.Value.none)
        #expect(request[option: Redirects.self] == nil)
        #expect(request.headerFields == ["B": "1", "a": "2", "B": "3"])
        #expect(request.url?.absoluteString == "http://h/")
    }

    @Test("a later value wins, nil removes, and the list of operators shows it")
    func laterWins() throws {
        let builder = RequestBuilder().option(Redirects.self, 3).option(Redirects.self, nil)
        #expect(try builder.makeRequest(baseURL: URL(string: "http://h/"))[option: Redirects.self] == nil)
        #expect(builder.operators.map(\.description) == ["redirects sets 3", "redirects removes"])
    }

    @Test("a request without options and with one header carries nothing extra")
    func nothingExtra() throws {
        let request = try RequestBuilder().header("A", "1").makeRequest(baseURL: URL(string: "http://h/"))
        #expect(request.mainDocumentURL == nil)
    }
}

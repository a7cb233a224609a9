import ReqcliNetworking
import RequestBuilding
import Testing

/// Several related requests are made in one place from optional parts.
@Suite struct RequestFamilyTests {
    private let base = RequestBuilder().baseURL("https://dummy.example.com")

    @Test(
        "nil path segments are left out",
        arguments: [
            (["api", "v1", "employee", "7"], "/api/v1/employee/7"),
            (["api", nil, "employees", nil], "/api/employees"),
            ([nil, nil, nil], ""),
            (["a b", "é", "x/y?#%"], "/a%20b/%C3%A9/x%2Fy%3F%23%25"),
        ] as [([String?], String)])
    func segments(segments: [String?], path: String) throws {
        let url = try base.path(segments: segments).prepared().url
        #expect(url.absoluteString == "https://dummy.example.com" + path)
    }

    @Test("an empty path segment is an error, because it would double a slash")
    func emptySegment() {
        let error = #expect(throws: RequestBuildingError.self) {
            try base.path(segments: ["a", "", "b"]).prepared()
        }
        #expect(error?.kind == .invalidPath)
        #expect(
            error?.description
                == "path(segments:): segment 2 is empty, which would double a slash; nil leaves it out")
    }

    @Test("query items with a nil value are not sent")
    func optionalCriteria() throws {
        let salary: Int? = nil
        let request = try base.appending(.get("api/v1/search")).addingQueryItem("name", "test")
            .addingQueryItem("salary", salary.map(String.init)).queryItem("age", nil).prepared()
        #expect(request.url.query == "name=test")
    }

    @Test("an implied Content-Type is sent only with a body")
    func contentTypeOnlyWithBody() throws {
        #expect(try base.appending(.jsonGet("a")).prepared().headers["Content-Type"] == nil)
        #expect(try base.appending(.jsonPost("a", nil as Int?)).prepared().headers["Content-Type"] == nil)
        #expect(try base.appending(.jsonPost("a", 1)).prepared().headers["Content-Type"] == "application/json")
    }

    @Test("a request needs nothing but a base URL")
    func onlyBaseURL() throws {
        let request = try base.prepared()
        #expect(request.method.token == "GET")
        #expect(request.headers.isEmpty && request.body == nil)
        let error = #expect(throws: RequestBuildingError.self) { try RequestBuilder.get("a").prepared() }
        #expect(error?.kind == .missingHost)
        #expect(
            error?.description == "makeRequest: the request has no scheme or no host: give a base URL or set them with "
                + "scheme and host")
    }

    @Test("a base has a base URL, and a module can override it")
    func moduleOverridesBaseURL() throws {
        let billing = base.baseURL("http://billing:8080/v2").header("X-Module", "billing")
        #expect(
            try billing.appending(.get("invoices")).prepared().url.absoluteString == "http://billing:8080/v2/invoices")
        #expect(
            try base.appending(.get("invoices")).prepared().url.absoluteString == "https://dummy.example.com/invoices")
    }

    @Test(
        "each invalid base URL has its own kind of error",
        arguments: [
            ("", RequestBuildingError.Kind.invalidBaseURL), ("http://", .invalidBaseURL), ("/api", .invalidBaseURL),
            ("example.com", .invalidBaseURL), ("http://a b/", .invalidBaseURL), ("http://h:x/", .invalidBaseURL),
            ("http://h:99999/", .invalidPort), ("ftp://h/", .invalidScheme), ("http://u:p@h/", .invalidBaseURL),
            ("http://h/?a=b", .invalidBaseURL), ("http://h/#f", .invalidBaseURL), ("http://[::1/", .invalidBaseURL),
            ("http://[zz]/", .invalidHost),
        ])
    func namedFailures(text: String, kind: RequestBuildingError.Kind) {
        let error = #expect(throws: RequestBuildingError.self) { try RequestBuilder().baseURL(text).prepared() }
        #expect(error?.kind == kind)
        #expect(error?.operatorName == "baseURL")
    }

    @Test("URL components that form no URL fail with urlNotMade")
    func urlNotMade() {
        let broken = base.modifyURLComponents { $0.user = "ada" }
        let error = #expect(throws: RequestBuildingError.self) { try broken.prepared() }
        #expect(error?.kind == .urlNotMade)
    }

    @Test("a nil JSON body means no body, not the text null")
    func noBody() throws {
        let request = try base.appending(.post("a")).jsonBody(nil as [String: String]?).prepared()
        #expect(request.body == nil)
    }

    @Test("a body that cannot be encoded is an error with the operator and the type")
    func unencodable() {
        let error = #expect(throws: RequestBuildingError.self) {
            try base.appending(.post("a")).jsonBody(Double.nan).prepared()
        }
        #expect(error?.kind == .bodyNotEncoded)
        #expect(error?.operatorName == "jsonBody")
        #expect(error?.underlying is EncodingError)
    }
}

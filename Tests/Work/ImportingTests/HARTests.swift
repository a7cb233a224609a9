import Importing
import ReqcliText
import Testing

@Suite("Recordings of browsers and single requests")
struct HARTests {
    /// A recording of these entries.
    private static func log(_ entries: String...) -> String {
        #"{"log": {"version": "1.2", "entries": [\#(entries.joined(separator: ",\n"))]}}"#
    }

    private static func entry(
        _ method: String, _ url: String, _ more: String = "", type: String = "application/json", response: String? = nil
    ) -> String {
        let response = response ?? #"{"status": 200, "headers": [], "content": {"mimeType": "\#(type)", "size": 3}}"#
        return #"{"request": {"method": "\#(method)", "url": "\#(url)"\#(more)}, "response": \#(response)}"#
    }

    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let source: String
        let files: [String: String]
        var options = ImportOptions()

        init(_ description: String, _ source: String, _ files: [String: String], isExact: Bool = false) {
            testDescription = description
            self.source = source
            self.files = files
            options.isExact = isExact
        }
    }

    static let single = [
        Case(
            "method and URL", #"{"method": "PROPFIND", "url": "http://example.com/har?a=1"}"#,
            [
                "env:development": #"{"baseURL":"http://example.com"}"#,
                "har": #"{"endpoints":{"propfind":{"method":"PROPFIND","path":"/har","query":{"a":"1"}}}}"#,
            ]),
        Case(
            "items that only the list has",
            #"{"method": "GET", "url": "http://example.com/har?key=value", "queryString": [{"name": "foo", "value": "a b"}, {"name": "key", "value": "value"}]}"#,
            [
                "env:development": #"{"baseURL":"http://example.com"}"#,
                "har": #"{"endpoints":{"list":{"path":"/har","query":{"key":"value","foo":"a b"}}}}"#,
            ]),
        Case(
            "JSON, with another type where it isn't the usual one",
            #"{"method": "PUT", "url": "http://h/har", "headers": [{"name": "Content-Type", "value": "application/ld+json"}], "postData": {"mimeType": "application/ld+json", "text": "{\n \"a\": [1.0, \"{{\"]\n}"}}"#,
            [
                "env:development": #"{"baseURL":"http://h"}"#,
                "har":
                    #"{"endpoints":{"replace":{"method":"PUT","path":"/har","headers":{"Content-Type":"application/ld+json"},"body":{"json":{"a":[1.0,"\\{{"]}}}}}"#,
            ]),
        Case(
            "the very bytes",
            #"{"method": "POST", "url": "http://h/har?a=b,c", "postData": {"mimeType": "application/json", "text": "{ \"a\": 1 }"}}"#,
            [
                "env:development": #"{"baseURL":"http://h"}"#,
                "har":
                    #"{"endpoints":{"create":{"method":"POST","path":"/har","query":"a=b,c","headers":{"Content-Type":"application/json"},"body":{"text":"{ \"a\": 1 }"}}}}"#,
            ], isExact: true),
        Case(
            "a form of fields, and one that is a text",
            log(
                entry(
                    "POST", "http://h/a",
                    #", "postData": {"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "foo", "value": "b r"}]}"#
                ),
                entry(
                    "POST", "http://h/b",
                    #", "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "x=1+2&y=%2B", "params": [{"name": "x", "value": "1+2"}]}"#
                )),
            [
                "env:development": #"{"baseURL":"http://h"}"#,
                "a": #"{"endpoints":{"create":{"method":"POST","path":"/a","body":{"form":{"foo":"b r"}}}}}"#,
                "b": #"{"endpoints":{"create":{"method":"POST","path":"/b","body":{"form":{"x":"1 2","y":"+"}}}}}"#,
            ]),
        Case(
            "parts and files",
            #"{"method": "POST", "url": "http://h/har", "headers": [{"name": "content-type", "value": "multipart/form-data; boundary=x"}], "postData": {"mimeType": "multipart/form-data", "params": [{"name": "a", "value": "1"}, {"name": "f", "fileName": "x/y.txt", "contentType": "text/plain"}]}}"#,
            [
                "env:development": #"{"baseURL":"http://h"}"#,
                "har":
                    #"{"endpoints":{"create":{"method":"POST","path":"/har","params":{"f":{"type":"file","description":"Such as x/y.txt"}},"body":{"multipart":{"a":{"text":"1"},"f":{"file":"{{f}}","filename":"y.txt","contentType":"text/plain"}}}}}}"#,
            ]),
    ]

    @Test("A request becomes an endpoint", arguments: single)
    func request(_ example: Case) throws {
        let imported = try ImportedSource(HARImport.self, example.source, options: example.options)
        #expect(imported.text == example.files)
    }

    @Test("Requests with one method and shape of path are one endpoint, with params for what differs")
    func grouping() throws {
        let imported = try ImportedSource(
            HARImport.self,
            Self.log(
                Self.entry("GET", "https://api.example.com/users/42/posts?limit=10&page=1&q=a"),
                Self.entry("GET", "https://api.example.com/users/7/posts?limit=10&page=2"),
                Self.entry("DELETE", "https://api.example.com/users/5d6bc29a-6d87-4d33-a2b8-0b9e1a3f4e5f")))
        #expect(
            imported.text == [
                "env:development": #"{"baseURL":"https://api.example.com"}"#,
                "users":
                    #"{"endpoints":{"list-posts":{"path":"/users/{{id}}/posts","params":{"id":{"type":"integer","example":42},"page":{"type":"integer","example":1},"q":{"type":"string","required":false,"example":"a"}},"query":{"limit":"10","page":"{{page}}","q":"{{q}}"}},"delete":{"method":"DELETE","path":"/users/{{id}}","params":{"id":{"type":"string","default":"5d6bc29a-6d87-4d33-a2b8-0b9e1a3f4e5f"}}}}}"#,
            ])
    }

    @Test("A space that is written as + doesn't keep differing queries from being params")
    func plus() throws {
        let imported = try ImportedSource(
            HARImport.self, Self.log(Self.entry("GET", "https://h/a?q=b+c"), Self.entry("GET", "https://h/a?q=d")))
        #expect(
            imported.text["a"]
                == #"{"endpoints":{"list":{"path":"/a","params":{"q":{"type":"string","example":"b c"}},"query":{"q":"{{q}}"}}}}"#
        )
    }

    @Test("A header that no request can have is left out with a note, and what HTTP/2 has as headers without one")
    func unfitHeaders() throws {
        let headers = [
            #"{"name": "X-A", "value": "1"}"#, #"{"name": ":path", "value": "/"}"#,
            #"{"name": "X B", "value": "1"}"#, #"{"name": "X-C", "value": "a\nb"}"#, #"{"name": "X-D"}"#,
            #"{"value": "1"}"#, #"{"name": "Host", "value": "h"}"#,
        ]
        let imported = try ImportedSource(
            HARImport.self,
            Self.log(Self.entry("GET", "https://h/data", #", "headers": [\#(headers.joined(separator: ","))]"#)))
        let notes = imported.notes.filter { $0.contains("a header has a name or a value that HTTP can't send") }
        #expect(notes.count == 4, "\(imported.notes)")
    }

    @Test("Pages, images, preflights and other protocols are left out, each with a note")
    func selection() throws {
        let source = Self.log(
            Self.entry("GET", "https://h/", type: "text/html"), Self.entry("GET", "https://h/data"),
            Self.entry("GET", "https://h/feed", type: "text/xml"),
            Self.entry(
                "OPTIONS", "https://h/data",
                #", "headers": [{"name": "Access-Control-Request-Method", "value": "PUT"}]"#),
            Self.entry("GET", "wss://h/socket"), Self.entry("GET", "data:text/plain,x"),
            #"{"_resourceType": "fetch", "request": {"method": "GET", "url": "https://h/text"}}"#, "{}")
        let imported = try ImportedSource(HARImport.self, source)
        #expect(imported.workspace.ids == ["data.list", "feed.list", "text.list"])
        #expect(
            imported.notes.sorted() == [
                "1:77: lost: pages, images and other files are left out; pass --all to import them",
                "2:69: lost: a response does not become a stub variant, because its body is not recorded",
                "3:69: lost: a response does not become a stub variant, because its body is not recorded",
                "4:42: lost: preflight requests of the browser are left out",
                "5:38: lost: browser URLs and WebSocket URLs are not imported",
                "6:38: lost: browser URLs and WebSocket URLs are not imported",
                "8:1: lost: an entry has no request with a method and a URL",
            ])
        var options = ImportOptions()
        options.takesAll = true
        #expect(try ImportedSource(HARImport.self, source, options: options).workspace.ids.count == 5)
    }

    @Test("Responses that were recorded are variants")
    func variants() throws {
        func response(_ status: Int, _ content: String) -> String {
            #"{"status": \#(status), "headers": [{"name": "Date", "value": "now"}, {"name": "X-A", "value": "1"}], "content": \#(content)}"#
        }
        let imported = try ImportedSource(
            HARImport.self,
            Self.log(
                Self.entry(
                    "POST", "https://h/a", response: response(404, #"{"mimeType": "text/plain", "text": "no"}"#)),
                Self.entry(
                    "POST", "https://h/a",
                    response: response(200, #"{"mimeType": "application/json", "text": "{\"a\": 1}"}"#)),
                Self.entry(
                    "POST", "https://h/a",
                    response: response(200, #"{"mimeType": "application/json", "text": "{\"a\":1}"}"#)),
                Self.entry(
                    "POST", "https://h/a",
                    response: response(201, #"{"mimeType": "application/json", "encoding": "base64", "text": "e30="}"#)),
                Self.entry(
                    "POST", "https://h/a",
                    response: response(200, #"{"mimeType": "image/png", "encoding": "base64", "text": "/w=="}"#)),
                Self.entry("POST", "https://h/a", response: response(204, #"{"mimeType": "", "size": 0}"#)),
                Self.entry("POST", "https://h/a", response: response(200, #"{"mimeType": "text/css", "size": 99}"#))))
        #expect(
            imported.text["a"]
                == #"{"endpoints":{"create":{"method":"POST","path":"/a","stubs":{"variants":{"404":{"status":404,"headers":{"X-A":"1"},"text":"no"},"standard":{"headers":{"X-A":"1"},"json":{"a":1}},"201":{"status":201,"headers":{"X-A":"1"},"json":{}},"200":{"headers":{"X-A":"1"},"file":"a.create.200.bin"},"204":{"status":204,"headers":{"X-A":"1"}}}}}}}"#
        )
        #expect(
            imported.notes == [
                "7:67: lost: a response does not become a stub variant, because its body is not recorded"
            ])
    }

    @Test("What a browser adds goes")
    func noise() throws {
        let headers = [
            (":authority", "h"), ("Host", "h"), ("User-Agent", "Mozilla/5.0"), ("sec-fetch-mode", "cors"),
            ("Origin", "https://h"), ("Cache-Control", "no-cache"), ("Accept", "*/*"), ("X-Trace", "1"),
            ("Content-Length", "2"),
        ]
        let json = headers.map { #"{"name": "\#($0)", "value": "\#($1)"}"# }.joined(separator: ", ")
        let source = Self.log(Self.entry("GET", "https://h/a?b=1", #", "headers": [\#(json)]"#))
        let imported = try ImportedSource(HARImport.self, source)
        #expect(
            imported.text["a"]
                == #"{"endpoints":{"list":{"path":"/a","query":{"b":"1"},"headers":{"X-Trace":"1"}}}}"#)
        var exact = ImportOptions()
        exact.isExact = true
        let all = try ImportedSource(HARImport.self, source, options: exact)
        #expect(all.text["a"]?.contains("Mozilla") == true)
        #expect(all.text["a"]?.contains("Content-Length") == false)
    }

    @Test(
        "A text that is no recording is refused with its place",
        arguments: [
            ("{\"log\": {}}", "expected \"log\" with \"entries\", or a request with \"method\" and \"url\"", true),
            ("{\"log\": ", "this \"{\" is never closed", false),
            (log(), "the recording has no request", true),
            (
                log(entry("GET", "https://h/", type: "text/html")),
                "the recording has only pages, images and other files", true
            ),
        ])
    func refused(source: String, message: String, isUsage: Bool) {
        #expect {
            try ImportedSource(HARImport.self, source)
        } throws: { error in
            guard let problem = error as? ImportProblem else { return false }
            return problem.isUsage == isUsage && problem.diagnostics.first?.message.hasPrefix(message) ?? false
        }
    }

    @Test("The format is told from the content")
    func looks() {
        func looks(_ text: String) -> [String] {
            ImportFormats.all.filter { $0.looksLike(SourceFile(name: "x", text: text)) }.map { $0.name }
        }
        #expect(looks(Self.log()) == ["har"])
        #expect(looks(#"{"method": "GET", "url": "http://h"}"#) == ["har"])
        #expect(looks(#"{"info": {"name": "x"}, "item": []}"#) == ["postman"])
        #expect(looks(#"{"name": "x", "values": [], "_postman_variable_scope": "environment"}"#) == ["postman"])
        #expect(looks(#"{"openapi": "3.0.0"}"#) == ["openapi"])
    }
}

import ReqcliNetworking
import RequestBuilding
import Testing

@Suite struct BodyTests {
    @Test(
        "a Content-Type set for a form gets the form's boundary, or supplies it if it names one",
        arguments: [
            ("multipart/form-data", "multipart/form-data; boundary=OURS", "OURS"),
            ("Multipart/Mixed; charset=x;", "Multipart/Mixed; charset=x; boundary=OURS", "OURS"),
            ("multipart/form-data; boundary=OURS", "multipart/form-data; boundary=OURS", "OURS"),
            ("multipart/form-data; Boundary=theirs", "multipart/form-data; Boundary=theirs", "theirs"),
            (#"multipart/form-data; a="x; boundary=no"; boundary="a b""#, nil, "a b"),
            (#"multipart/form-data; boundary="a\(b""#, nil, "a(b"), ("text/plain", "text/plain; boundary=OURS", "OURS"),
        ] as [(String, String?, String)])
    func ownMultipartType(type: String, sent: String?, boundary: String) throws {
        let form = MultipartBody(boundary: "OURS", parts: [.text("a", "1")])
        let request = try RequestBuilder().baseURL("http://h").multipartBody(form).header("Content-Type", type)
            .prepared()
        #expect(request.headers.values("Content-Type") == [sent ?? type])
        let body = String(decoding: request.body?.data ?? Data(), as: UTF8.self)
        #expect(body.hasPrefix("--\(boundary)\r\n") && body.hasSuffix("--\(boundary)--\r\n"), "\(body)")
    }

    @Test("Data passed as a JSON body is sent as it is, not as base64 text")
    func dataIsBytes() throws {
        let data = Data(#"{"a": 1}"#.utf8)
        let base = RequestBuilder().baseURL("http://h")
        let erased: any Encodable = data
        for builder in [
            base.jsonBody(data), base.appending(.jsonPost("a", data)),
            base.jsonBody(erased),
        ] {
            let request = try builder.prepared()
            #expect(request.body == .data(data))
            #expect(request.headers["Content-Type"] == "application/json")
        }
    }

    @Test("a dictionary of any values is a JSON body, and one that JSON can't hold is an error")
    func anyValues() throws {
        let base = RequestBuilder().baseURL("http://h")
        let builder = base.jsonBody(["name": "Ada", "age": 36, "tags": ["a", 1], "none": NSNull()])
        let text = #"{"age":36,"name":"Ada","none":null,"tags":["a",1]}"#
        #expect(try builder.prepared().body == .data(Data(text.utf8)))
        let posted = base.appending(.jsonPost("a", ["b": true, "c": 1.5]))
        #expect(try posted.prepared().body == .data(Data(#"{"b":true,"c":1.5}"#.utf8)))
        for value in [Date(), Double.nan, Data()] as [Any] {
            let error = #expect(throws: RequestBuildingError.self) { try base.jsonBody(["a": [value]]).prepared() }
            #expect(error?.kind == .bodyNotEncoded)
        }
    }

    @Test("a JSON literal keeps the order of its members as a body")
    func literal() throws {
        let literal: JSONLiteral = ["b": 1, "a": nil, "A": [.null]]
        let request = try RequestBuilder().baseURL("http://h").jsonBody(literal).prepared()
        #expect(request.body == .data(Data(#"{"b":1,"A":[null]}"#.utf8)))
    }

    @Test("a POST of JSON uses the given encoder")
    func postEncoder() throws {
        struct Person: Encodable { let firstName: String }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let builder = RequestBuilder.jsonPost("a", Person(firstName: "Ada"), encoder: encoder).baseURL("http://h")
        #expect(try builder.prepared().body == .data(Data(#"{"first_name":"Ada"}"#.utf8)))
    }

    @Test("a request has exactly one Host header")
    func oneHost() throws {
        let builder = RequestBuilder().baseURL("http://h")
        for twice in [
            builder.header("Host", values: ["a", "b"]), builder.header("Host", "a").addingHeader("host", "b"),
        ] {
            let error = #expect(throws: RequestBuildingError.self) { try twice.prepared() }
            #expect(error?.reason.contains("expected one value; found 2") == true)
        }
        #expect(try builder.header("Host", "a").header("host", "b").prepared().headers.values("Host") == ["b"])
    }

    @Test(
        "a Content-Type with a boundary that the form cannot use is rejected",
        arguments: [
            ("multipart/form-data; boundary=", "is not a boundary"),
            (#"multipart/form-data; boundary="é""#, "is not a boundary"),
            ("multipart/form-data; boundary=part", "occurs in part"),
        ])
    func unusableBoundary(type: String, reason: String) throws {
        let form = MultipartBody(parts: [.text("a", "x --part x")])
        let builder = RequestBuilder().baseURL("http://h").multipartBody(form).header("Content-Type", type)
        let error = #expect(throws: RequestBuildingError.self) { try builder.prepared() }
        #expect(error?.subject == .header("Content-Type") && error?.reason.contains(reason) == true, "\(error as Any)")
    }
    private let post = RequestBuilder.post("").baseURL("http://h/")

    private func contentType(_ builder: RequestBuilder) throws -> [String] {
        try builder.prepared().headers.values("Content-Type")
    }

    @Test("a body sets the Content-Type over an earlier header; a later header overrides it")
    func precedence() throws {
        let inherited = post.header("content-type", "text/inherited")
        #expect(try contentType(inherited.jsonBody(1)) == ["application/json"])
        #expect(try contentType(inherited.jsonBody(1).header("Content-Type", "a/b")) == ["a/b"])
        #expect(try contentType(inherited.body(Data())) == ["text/inherited"])
    }

    @Test(
        "each kind of body implies its own Content-Type",
        arguments: [
            (RequestBuilder().textBody("é"), "text/plain; charset=utf-8", "é"),
            (RequestBuilder().jsonBody(["a/b": 1]), "application/json", #"{"a/b":1}"#),
            (
                RequestBuilder().formBody([("a b", "c&d"), ("a b", "+=é")]), "application/x-www-form-urlencoded",
                "a%20b=c%26d&a%20b=%2B%3D%C3%A9"
            ),
            (RequestBuilder().body(Data("x".utf8), contentType: "a/b"), "a/b", "x"),
        ])
    func kinds(body: RequestBuilder, contentType: String, bytes: String) throws {
        let request = try post.appending(body).prepared()
        #expect(request.headers.values("Content-Type") == [contentType])
        #expect(request.body == .data(Data(bytes.utf8)))
    }

    @Test("replacing or removing a body removes the Content-Type it implied, not one set explicitly")
    func impliedGoes() throws {
        #expect(try contentType(post.jsonBody(1).removingBody()) == [])
        #expect(try contentType(post.jsonBody(1).body(Data())) == [])
        #expect(try contentType(post.jsonBody(1).header("Content-Type", "a/b").removingBody()) == ["a/b"])
        #expect(try post.jsonBody(1).removingBody().prepared().body == nil)
    }

    @Test("a file body is streamed from its file")
    func file() throws {
        let file = try TemporaryFile("file bytes\r\n\0end")
        let request = try post.fileBody(path: file.path, contentType: "a/b").prepared()
        #expect(request.body == .file(path: file.path))
        #expect(request.urlRequest.httpBody == nil)
        #expect(try bytes(of: request) == Data("file bytes\r\n\0end".utf8))
    }

    @Test("a missing file is an error when the stream is read, not a short body")
    func missingFile() throws {
        let request = try post.fileBody(path: "/nonexistent/file").prepared()
        #expect(throws: CocoaError.self) { try bytes(of: request) }
    }

    @Test("a multipart body without files is bytes in memory with a stable boundary")
    func multipart() throws {
        let body = MultipartBody(
            boundary: "B",
            parts: [
                .text("a\"\r\nb", "1"), .init(name: "c", filename: "d", contentType: "e/f", content: .data(Data([0]))),
            ])
        let request = try post.multipartBody(body).prepared()
        #expect(request.headers["Content-Type"] == "multipart/form-data; boundary=B")
        let expected =
            "--B\r\nContent-Disposition: form-data; name=\"a%22%0D%0Ab\"\r\n\r\n1\r\n"
            + "--B\r\nContent-Disposition: form-data; name=\"c\"; filename=\"d\"\r\nContent-Type: e/f\r\n\r\n\0\r\n--B--\r\n"
        #expect(request.body == .data(Data(expected.utf8)))
        let own = MultipartBody(parts: [.text("a", "1")])
        #expect(own.boundary == MultipartBody(parts: [.text("a", "1")]).boundary)
        #expect(own.boundary != MultipartBody(parts: [.text("b", "1")]).boundary)
    }

    @Test("a boundary neither occurs in the parts nor reveals what they contain")
    func boundary() throws {
        let secret = MultipartBody(parts: [.text("pin", "0042")])
        #expect(secret.boundary == MultipartBody(parts: [.text("pin", "0043")]).boundary)
        let hostile = MultipartBody(parts: [.text("pin", "\r\n--\(secret.boundary)--\r\n")])
        #expect(hostile.boundary != secret.boundary)
        _ = try post.multipartBody(hostile).prepared()
    }

    @Test("a multipart body with files streams each file in its place")
    func multipartFile() throws {
        let file = try TemporaryFile("FILE")
        let body = MultipartBody(boundary: "B", parts: [.text("a", "1"), .file("f", path: file.path, filename: "n")])
        let request = try post.multipartBody(body).prepared()
        #expect(request.body == .multipart(body))
        #expect(
            try bytes(of: request)
                == Data(
                    ("--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--B\r\nContent-Disposition: form-data; "
                        + "name=\"f\"; filename=\"n\"\r\nContent-Type: application/octet-stream\r\n\r\nFILE\r\n--B--\r\n")
                        .utf8))
    }

    @Test(
        "a part's type follows from its file name, then from the file's own, as with curl",
        arguments: [
            ("a.png", nil, "image/png"), ("a.PNG", nil, "image/png"), (".jpeg", nil, "image/jpeg"),
            ("a.tar.gz", nil, "application/octet-stream"), ("txt", nil, "application/octet-stream"),
            ("a.txt", "b.svg", "image/svg+xml"), ("a.txt", "b.zip", "text/plain"),
            ("folder.pdf/a", nil, "application/octet-stream"),
        ])
    func typeOfName(path: String, filename: String?, type: String) {
        #expect(MultipartBody.Part.file("f", path: path, filename: filename).contentType == type)
        #expect(MultipartBody.Part.file("f", path: path, filename: filename, contentType: "a/b").contentType == "a/b")
    }

    @Test(
        "an invalid multipart body is rejected",
        arguments: [
            (MultipartBody(boundary: "", parts: []), "\"\" is not a boundary"),
            (MultipartBody(boundary: "a\"b", parts: []), "is not a boundary"),
            (MultipartBody(boundary: "B", parts: [.text("a", "x--B")]), "the boundary \"B\" occurs in part \"a\""),
            (MultipartBody(parts: [.text("a\0", "x")]), "NUL in its name"),
            (
                MultipartBody(parts: [.init(name: "a", contentType: "x\r\ny: z", content: .data(Data()))]),
                "the value contains CR at character 2"
            ),
        ])
    func refusedMultipart(body: MultipartBody, says: String) {
        let error = #expect(throws: RequestBuildingError.self) { try post.multipartBody(body).prepared() }
        #expect(error?.description.contains(says) == true, "\(error as Any)")
        #expect(error?.operatorName == "multipartBody")
    }

    @Test("Basic authorization rejects a user name with a colon")
    func basic() throws {
        let request = try post.authorization(user: "ada", password: "a:b").prepared()
        #expect(request.headers["Authorization"] == "Basic YWRhOmE6Yg==")
        #expect(try post.authorization(bearer: "t").prepared().headers["Authorization"] == "Bearer t")
        let error = #expect(throws: RequestBuildingError.self) {
            try post.authorization(user: "a:b", password: "").prepared()
        }
        #expect(error?.kind == .invalidCredentials)
    }

    private func bytes(of request: PreparedRequest) throws -> Data {
        let stream = try #require(request.urlRequest.httpBodyStream)
        stream.open()
        defer { stream.close() }
        var result = Data()
        var buffer = [UInt8](repeating: 0, count: 5)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            if count < 0, let error = stream.streamError { throw error }
            if count <= 0 { return result }
            result += buffer.prefix(count)
        }
    }
}

/// A temporary file that is deleted with its owner.
final class TemporaryFile {
    let path: String

    init(_ text: String) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    deinit {
        // Best effort: a file left behind in the temporary folder fails no test.
        try? FileManager.default.removeItem(atPath: path)
    }
}

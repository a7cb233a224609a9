import ReqcliNetworking
@_spi(Generated) import RequestBuilding
import Testing

/// Operators can be read back as a list, and as the history of each part of the request.
@Suite struct OperatorListTests {
    private let environment = Origin(
        layer: "environment staging", file: "environments/staging.json", line: 4, column: 5)
    private let flag = Origin(layer: "command line", flag: "-H 'accept: b'")

    @Test("operators are listed in order with subject, effect, value and origin")
    func readBack() {
        let builder = RequestBuilder()
            .withOrigin(environment) { $0.header("Accept", "a").timeout(.seconds(60)) }
            .withOrigin(flag) { $0.header("accept", "b").withOrigin(nil) { $0.port(1) } }
            .addingQueryItem("q", "1").removingHeader("X")
        #expect(builder.operators.map(\.value) == ["a", "60s", "b", "1", "1", nil])
        #expect(
            builder.operators.map(\.description) == [
                "header Accept sets … (environments/staging.json:4:5)",
                "timeout.total sets 60s (environments/staging.json:4:5)",
                "header accept sets … (-H 'accept: b')",
                "port sets 1",
                "query q adds …",
                "header X removes",
            ])
    }

    @Test("printing or dumping a builder shows no secret")
    func noSecrets() {
        let builder = RequestBuilder().authorization(bearer: "s3cr3t").header("X-Key", "s3cr3t")
            .authorization(user: "ada", password: "s3cr3t").addingQueryItem("key", "s3cr3t")
            .query([("key", "s3cr3t")]).jsonBody(["password": "s3cr3t"])
            .setting(.digestAccount, Account(user: "ada", password: "s3cr3t"))
        var dumped = ""
        dump(builder, to: &dumped)
        dump(builder.history(), to: &dumped)
        let basic = Data("ada:s3cr3t".utf8).base64EncodedString()
        for text in ["\(builder)", "\(builder.operators)", "\(builder.history())", dumped] {
            #expect(text.contains("X-Key") && !text.contains("s3cr3t") && !text.contains(basic), "\(text)")
        }
    }

    @Test("operators keep their origin when they are appended to another builder")
    func appendedLayer() {
        let layer = RequestBuilder().withOrigin(environment) { $0.host("h") }
        let builder = RequestBuilder().withOrigin(flag) { $0.appending(layer).port(1) }
        #expect(builder.operators.map(\.origin) == [environment, flag])
    }

    @Test("builders that extend the same builder do not affect it or each other")
    func directions() {
        let root = RequestBuilder().header("A", "0")
        let left = root.header("B", "1").header("C", "2")
        let right = root.header("B", "3")
        let longer = left.header("D", "4")
        let other = left.header("D", "5")
        func values(_ builder: RequestBuilder) -> [String?] { builder.operators.map(\.value) }
        #expect(values(root) == ["0"])
        #expect(values(left) == ["0", "1", "2"])
        #expect(values(right) == ["0", "3"])
        #expect(values(longer) == ["0", "1", "2", "4"])
        #expect(values(other) == ["0", "1", "2", "5"])
        #expect(values(right.appending(left)) == ["0", "3", "0", "1", "2"])
        #expect(values(left.appending(left)) == ["0", "1", "2", "0", "1", "2"])
    }

    @Test("a builder can be extended on several threads at once")
    func threads() async {
        let root = RequestBuilder().header("A", "0")
        let told = await withTaskGroup(of: [String?].self) { group in
            for number in 0..<200 {
                group.addTask {
                    let builder = root.header("B", "\(number)")
                    let longer = (0..<5).reduce(builder) { $0.header("C", "\(number).\($1)") }
                    return longer.operators.map(\.value)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let expected = (0..<200).map { number in ["0", "\(number)"] + (0..<5).map { "\(number).\($0)" } }
        #expect(Set(told) == Set(expected))
    }

    @Test("here() returns the file and line of the call")
    func here() {
        let origin = Origin.here("defaults")
        let line = #line - 1
        #expect(origin.description == "RequestBuildingTests/OperatorListTests.swift:\(line):33")
    }

    @Test("a base URL sets scheme, host, port and path separately, and removes an inherited port if it has none")
    func baseURLParts() throws {
        let builder = RequestBuilder().port(81).withOrigin(flag) { $0.baseURL("https://h/api") }
        #expect(
            builder.operators.dropFirst().map(\.description) == [
                "scheme sets https (-H 'accept: b')", "host sets h (-H 'accept: b')", "port removes (-H 'accept: b')",
                "base path sets /api (-H 'accept: b')",
            ])
        #expect(try builder.prepared().url.absoluteString == "https://h/api")
    }

    @Test("history lists the current operators, those they shadow, and the one that removed the part")
    func history() {
        let builder = RequestBuilder()
            .header("Accept", "a").addingHeader("accept", "b").addingQueryItem("q", "1")
            .header("ACCEPT", "c").withOrigin(flag) { $0.addingHeader("Accept", "d").removingQueryItem("q") }
        let history = builder.history()
        #expect(history.map(\.subject.description) == ["header Accept", "query q"])
        #expect(history[0].standing.map(\.value) == ["c", "d"])
        #expect(history[0].shadowed.map(\.value) == ["a", "b"])
        #expect(history[0].removal == nil)
        #expect(history[1].standing.isEmpty)
        #expect(history[1].shadowed.map(\.value) == ["1"])
        #expect(history[1].removal?.origin == flag)
    }

    @Test("replacing the query shadows its items; later items stand beside it")
    func replacedQuery() {
        let replaced = RequestBuilder().addingQueryItem("a", "1").queryItem("b", "2").query([("c", "3")])
        let history = replaced.addingQueryItem("a", "4").history()
        #expect(history.map(\.subject) == [.queryItem("a"), .queryItem("b"), .query])
        #expect(history.map { $0.standing.map(\.value) } == [["4"], [], ["c=3"]])
        #expect(history.map { $0.shadowed.map(\.value) } == [["1"], ["2"], []])
        #expect(history[1].removal?.name == "query")
    }

    @Test("setting a part again after its removal marks the removal as shadowed")
    func setAfterRemoval() {
        let history = RequestBuilder().header("A", "1").removingHeader("A").header("A", "2").history()
        #expect(history[0].standing.map(\.value) == ["2"])
        #expect(history[0].shadowed.map(\.name) == ["header", "removingHeader"])
        #expect(history[0].removal == nil)
    }

    @Test("removing a body also removes its implied Content-Type from the history")
    func impliedContentType() throws {
        let builder = RequestBuilder().header("Content-Type", "x").jsonBody(1)
            .withOrigin(flag) { $0.body(Data()) }
        let history = builder.history()
        let type = try #require(history.first { $0.subject == .header("content-type") })
        #expect(type.standing.isEmpty)
        #expect(type.shadowed.map(\.value) == ["x", "application/json"])
        #expect(type.removal?.origin == flag)
        let request = try builder.prepared(baseURL: URL(string: "http://h"))
        #expect(request.headers["Content-Type"] == nil)
    }

    @Test("all problems are reported at once, each with its operator")
    func problems() {
        let problems = RequestBuilder().host("a b").port(0).scheme("ftp").header("a b", "c").method("get")
            .timeout(.seconds(-1)).problems()
        #expect(
            problems.map(\.kind) == [
                .invalidHost, .invalidPort, .invalidScheme, .invalidHeaderName, .invalidMethod, .invalidTimeout,
            ])
        #expect(RequestBuilder().host("h").scheme("http").problems().isEmpty)
    }

    @Test("an error thrown in a closure names the operator and keeps the original error")
    func throwingClosure() {
        struct Oops: Error {}
        let builder = RequestBuilder().withOrigin(environment) {
            $0.modifyURLComponents("rewrite") { _ in throw Oops() }
        }
        let error = #expect(throws: RequestBuildingError.self) { try builder.prepared() }
        #expect(error?.kind == .operatorFailed)
        #expect(error?.description == "rewrite (environments/staging.json:4:5): Oops()")
        #expect(error?.underlying is Oops)
    }

    @Test("a timeout must be greater than zero", arguments: [0, -1])
    func timeouts(seconds: Int) {
        let error = #expect(throws: RequestBuildingError.self) {
            try RequestBuilder().timeout(.seconds(seconds)).prepared(baseURL: URL(string: "http://h"))
        }
        #expect(error?.kind == .invalidTimeout)
    }
}

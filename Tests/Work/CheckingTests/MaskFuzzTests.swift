import Calling
import Checking
import Foundation
import ReqcliRedaction
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Workspaces by chance whose secrets are also names, words of messages or parts of each other.
@Suite struct MaskFuzzTests {
    private static let count = RandomInputs.count(100)

    private static let words = [
        "a", "test", "1", "true", "200", "GET", "json", "secret", "<", "login", "expected", "found", "status", "failed",
        "Unauthorized", "hunter2", "hunter2hunter2", "user", "password", "secret.password", "body", "name", "curl", "é",
        "&",
        "\"", "a b", "check", "HTTP", "answered", "case", "id", "cases", "classname", "verdict", "ok", "not",
    ]

    /// A workspace with cases that pass, fail, are blocked and can't be sent, whose names are some of the words.
    private struct Sample {
        let secrets: [Redactor.Secret]
        let files: [String: String]
        let body: String
        let fails: Bool

        init(_ random: inout SeededGenerator) {
            let words = MaskFuzzTests.words.shuffled(using: &random)
            let labels = ["password", "token", "test"]
            secrets = zip(labels, words).map { Redactor.Secret(label: "secret.\($0)", value: $1) }
            let names = MaskFuzzTests.words.filter { $0.allSatisfy { $0.isASCII && $0.isLetter } }
                .map { $0.lowercased() }.shuffled(using: &random)
            // No need can be called "secret", because a placeholder would mean something else.
            let others = names.dropFirst().filter { $0 != "secret" }
            let (file, one, two, check) = (names[0], others[0], others[1], others[2])
            fails = Bool.random(using: &random)
            files = [
                "environments/production.json":
                    #"{"secrets": {"password": {"env": "A"}, "token": {"env": "B"}, "test": {"env": "C"}}}"#,
                "endpoints/\(file).json": """
                {"endpoints": {
                  "\(one)": {"path": "/\(one)", "expect": {"status": 200, "json": {"$.\(check)": "{{secret.password}}"},
                      "headers": {"X-Echo": "{{secret.token}}"}},
                    "checks": [{"name": "\(check)", "expect": {"body": {"contains": "{{secret.test}}"}}}],
                    "capture": {"\(two)": {"json": "$.\(check)"}}},
                  "\(two)": {"path": "/\(two)/{{\(one).\(two)}}", "needs": {"\(one)": "\(file).\(one)"},
                    "expect": {"json": {"$..\(check)": {"type": "boolean"}, "$.list": [1, "{{secret.token}}"]}}}}}
                """,
            ]
            let values = secrets.map { "\"\(MaskFuzzTests.marked(JSONStringText.escaped($0.value)))\"" }
            body =
                "{\"\(check)\": \(values[0]), \"list\": [\(values.joined(separator: ", "))], \(values[1]): \(values[2])}"
        }

        func answer(_ number: Int) -> CallResult {
            let texts = secrets.map { MaskFuzzTests.marked($0.value) }
            let request = CallResult.Request(
                method: "GET", url: "https://h/?q=\(texts[0])",
                curl: "curl 'https://h/' -d '\(texts.joined(separator: " "))'")
            if fails, number % 2 == 1 {
                return CallResult(
                    .failure(Failure(.noAnswer, code: "exchange.failed", "cannot reach \(texts[0])")),
                    request: request, secrets: secrets)
            }
            let response = ReceivedResponse(
                status: fails ? 401 : 200, reason: fails ? "Unauthorized" : "OK",
                headers: ["Content-Type": "application/json", "X-Echo": texts.joined(separator: " ")],
                body: ReceivedBody(Array(body.utf8)))
            return CallResult(.success(response), request: request, secrets: secrets)
        }
    }

    /// A value with neighbours that no report has elsewhere.
    private static func marked(_ value: String) -> String { "zq.\(value).qz" }

    @Test("whatever the secrets are, reports can be read, name their cases, and show no secret")
    func reports() async throws {
        for seed in 0..<Self.count {
            var random = SeededGenerator(seed: UInt64(seed))
            let sample = Sample(&random)
            let about = Comment(rawValue: "seed \(seed): \(sample.secrets.map(\.value)) in \(sample.files)")
            let stage = Stage(secrets: sample.secrets) { _, number in sample.answer(number) }
            let run = try await stage.run(sample.files)
            let plain = Stage(secrets: sample.secrets.map { .init(label: $0.label, value: "unlikely\($0.label)") }) {
                _, number in sample.answer(number)
            }
            let ids = try await plain.run(sample.files).cases.map(\.id)
            #expect(run.cases.map(\.id) == ids, about)
            let notPassed = run.cases.filter { $0.verdict != .passed }.map(\.id)
            #expect(!notPassed.isEmpty, about)
            for kind in ReportKind.allCases {
                let text = kind.report.text(of: run)
                Self.expectReadable(text, kind, about)
                for secret in sample.secrets {
                    for form in [secret.value, Self.markup(secret.value), JSONStringText.escaped(secret.value)] {
                        #expect(!text.contains(Self.marked(form)), "\(kind) shows \(secret), \(about)")
                    }
                }
                #expect(!text.contains("<secret.<") && !text.contains("secret.secret."), "\(kind), \(about)")
                guard kind == .json else { continue }
                let earlier = try EarlierRun(SourceFile(name: "report", text: text))
                #expect(earlier.notPassed == notPassed, about)
            }
            let words = run.cases.flatMap(\.outcome.failures).filter { $0.subject == "status" }
            #expect(
                words.allSatisfy {
                    $0.message == "status: expected 200, found 401 Unauthorized"
                        || $0.message == "status: expected 2xx (the default), found 401 Unauthorized"
                }, about)
        }
    }

    private static func markup(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }

    private static func expectReadable(_ text: String, _ kind: ReportKind, _ about: Comment) {
        switch kind {
        case .junit: #expect(XMLParser(data: Data(text.utf8)).parse(), about)
        case .json:
            let document = JSONDocument.read(SourceFile(name: "report", text: text))
            #expect(document.problems.isEmpty && document.root != nil, about)
        case .tap:
            #expect(text.hasPrefix("TAP version 14\n"), about)
            let results = text.split(separator: "\n").filter { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") }
            #expect(text.contains("\n1..\(results.count)\n"), about)
        case .html: #expect(text.hasPrefix("<!DOCTYPE html>") && text.hasSuffix("</html>\n"), about)
        case .github:
            let lines = text.split(separator: "\n")
            #expect(
                lines.allSatisfy {
                    $0.hasPrefix("::error ") || $0.hasPrefix("::warning ") || $0.hasPrefix("::notice ")
                }, about)
        }
    }
}

package import CommandLineKit
import NearNames
import SourceText

/// `--report junit=FILE`: a format, and where it goes.
package struct ReportRequest: Sendable, Equatable {
    package let kind: ReportKind
    /// `-` is standard output.
    package let path: String

    package init(kind: ReportKind, path: String) {
        self.kind = kind
        self.path = path
    }

    package var isForStandardOutput: Bool { path == "-" }

    package static let expectation =
        "KIND=FILE, KIND one of \(ReportKind.allCases.map(\.rawValue).joined(separator: ", "))"

    /// Reads the values of all `--report` options; every mistake in them.
    package static func parse(_ texts: [String]) throws(Failure) -> [ReportRequest] {
        var requests: [ReportRequest] = []
        var problems: [Failure] = []
        func report(_ message: String, hint: String? = nil) {
            problems.append(Failure(.usage, code: .reportInvalid, message, hint: hint))
        }
        for text in texts {
            guard let equals = text.firstIndex(of: "="), text.index(after: equals) < text.endIndex else {
                report("--report takes \(expectation); found \"\(text)\"", hint: "write junit=report.xml, or tap=-")
                continue
            }
            let name = String(text[..<equals])
            guard let kind = ReportKind(rawValue: name) else {
                let names = ReportKind.allCases.map(\.rawValue)
                report(
                    "there is no report \"\(name)\"",
                    hint: NearNames.question(for: name, among: names) ?? "there are \(names.joined(separator: ", "))")
                continue
            }
            let path = String(text[text.index(after: equals)...])
            let request = ReportRequest(kind: kind, path: path)
            if let other = requests.first(where: { $0.path == path }) {
                problems.append(request.clash(with: other))
                continue
            }
            requests.append(request)
        }
        if !problems.isEmpty { throw Failure(joining: problems) }
        return requests
    }
}

/// Why a report can't be written.
package struct ReportWritingProblem: Error {
    /// Completes "… can't be written: ".
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

extension [ReportRequest] {
    /// Writes each of them; one that can't be written keeps no other from it. `writeFile` puts a whole file in place at
    /// once, or leaves what is there.
    package func write(
        _ run: RunResult, toFile writeFile: (_ path: String, _ text: String) throws(ReportWritingProblem) -> Void,
        toStandardOutput write: (String) -> Void
    ) -> [Failure] {
        compactMap { request in
            let text = request.kind.report.text(of: run)
            if request.isForStandardOutput {
                write(text)
                return nil
            }
            do throws(ReportWritingProblem) {
                try writeFile(request.path, text)
                return nil
            } catch {
                return request.problem(error)
            }
        }
    }
}

extension ReportRequest {
    /// Both lead to one place: the later would take the place of the earlier.
    package func clash(with earlier: ReportRequest) -> Failure {
        let place = isForStandardOutput ? "standard output" : "\"\(path)\""
        return Failure(
            .usage, code: .reportInvalid,
            "two reports go to \(place): \(earlier.kind.rawValue) and \(kind.rawValue)")
    }

    /// It would lie among the files that say what is checked, or in place of one.
    package var isAmongDefinitions: Failure {
        Failure(
            .usage, code: .reportInvalid, "the \(kind.rawValue) report \"\(path)\" would lie among the definitions",
            hint: "write it outside of endpoints/, environments/ and stubs/")
    }

    package func problem(_ problem: ReportWritingProblem) -> Failure {
        Failure(
            .outputFailed, code: .reportUnwritable,
            "the \(kind.rawValue) report \"\(path)\" can't be written: \(problem.reason)")
    }
}

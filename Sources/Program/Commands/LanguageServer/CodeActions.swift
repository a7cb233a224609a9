import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Fixes of problems: the near names that `validate` asks about.
struct CodeActions {
    private static let fixed: Set<Diagnostic.Code> = [
        .keyUnknown, "value.unknown", .endpointUnknown, "environment.unknown", .parameterUnknown, .variantUnknown,
        .valueUnresolved, .secretUnknown, .captureUnknown,
    ]

    private let document: AskedDocument
    private let range: Range<Int>

    init(_ document: AskedDocument, in range: Range<Int>) {
        self.document = document
        self.range = range
    }

    var all: [OrderedJSON] {
        let problems = document.workspace.problems(in: document.path).filter { problem in
            guard let place = problem.place, Self.fixed.contains(problem.code) else { return false }
            // The places of older texts would lead to wrong edits.
            return place.file.bytes == document.bytes && place.range.lowerBound <= range.upperBound
                && range.lowerBound <= place.range.upperBound
        }
        return problems.flatMap { problem in problem.place.map { fixes(of: problem, at: $0) } ?? [] }
    }

    private func fixes(of problem: Diagnostic, at place: Place) -> [OrderedJSON] {
        var token = place.range
        let text = place.file.text(token)
        let isPlaceholder = text.hasPrefix("{{")
        if isPlaceholder {
            token = token.lowerBound + 2..<max(token.lowerBound + 2, token.upperBound - 2)
            while token.count > 0, document.bytes[token.lowerBound] == .space {
                token = token.lowerBound + 1..<token.upperBound
            }
            while token.count > 0, document.bytes[token.upperBound - 1] == .space {
                token = token.lowerBound..<token.upperBound - 1
            }
        } else {
            token = JSONValue.innerRange(of: token, in: document.bytes)
        }
        let typed = place.file.text(token)
        let names = Completion(document, at: token.lowerBound).names
        let near = NearNames.nearest(to: typed, among: names)
        return near.enumerated().map { index, name in
            .object([
                "title": .string("Replace with \"\(name)\""), "kind": "quickfix", "isPreferred": .bool(near.count == 1),
                "diagnostics": [document.places.json(problem, in: document.uri)],
                "edit": .object([
                    "changes": .object([
                        OrderedJSON.Member(
                            document.uri,
                            [.object(["range": document.positions.json(token), "newText": .string(name)])])
                    ])
                ]),
            ])
        }
    }
}

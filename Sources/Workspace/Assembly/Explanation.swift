import Foundation
import ReqcliDefinitions
import ReqcliRedaction
package import ReqcliText
import RequestBuilding

/// The origin of each part of a request, read from the builder's list of operators.
package struct Explanation: Sendable {
    package struct Source: Sendable, Equatable {
        /// The value from this source; nil if this source removes the part.
        package fileprivate(set) var value: String?
        package let layer: String
        /// The place as `file:line:column`, the flag, or the layer.
        package let origin: String
        /// The placeholders with functions that the value is made of, as written.
        package var functions: [String] = []
    }

    package struct Row: Sendable {
        /// The name of the part, such as `method`, `header Accept`, `query order` or `timeout.total`.
        package let part: String
        /// The final values; empty if a layer removed them.
        package fileprivate(set) var standing: [Source]
        package let removedBy: Source?
        /// The replaced values, the latest first.
        package fileprivate(set) var shadowed: [Source]
    }

    package let endpoint: String
    package let environment: String
    package let method: String
    package private(set) var url: String
    package private(set) var rows: [Row]

    package init(_ assembled: AssembledRequest) {
        let signed = assembled.explained
        let redactor = assembled.redactor
        let written = assembled.call.writtenParts
        func source(_ step: RequestOperator) -> Source {
            Source(
                value: step.effect == .removes ? nil : redactor.redact(step.value ?? ""),
                layer: step.origin?.layer ?? "",
                origin: step.origin?.description ?? "")
        }
        func made(_ step: RequestOperator) -> Source {
            var source = source(step)
            let part = written.last { $0.subject == step.subject && $0.origin == step.origin }
            source.functions = part?.text.functions.map(redactor.redact) ?? []
            return source
        }
        endpoint = assembled.call.endpoint.id
        environment = assembled.call.environment.name
        method = assembled.method
        url = redactor.redact(assembled.request.url.absoluteString)
        let all = assembled.builder.history().compactMap { history -> Row? in
            // A part that never had a value is left out.
            let hadValue = !history.standing.isEmpty || history.shadowed.contains { $0.effect != .removes }
            guard hadValue else { return nil }
            var standing = history.standing.map(made)
            if history.subject == .signature, let signed, let own = standing.last {
                standing = Self.parts(of: signed, from: own, redactor)
            }
            return Row(
                part: history.subject.description, standing: standing,
                removedBy: history.removal.map(source), shadowed: history.shadowed.reversed().map(source))
        }
        let order = all.enumerated().sorted {
            (Self.rank($0.element.part), $0.offset) < (Self.rank($1.element.part), $1.offset)
        }
        rows = order.map(\.element)
    }

    /// The explanation of the parts that have, had or lost a value by a place in a line of a file.
    package func parts(ofLine line: Int, in file: String) -> Explanation {
        var explanation = self
        let start = "\(file):\(line):"
        explanation.rows = rows.filter { row in
            (row.standing + row.shadowed + [row.removedBy].compactMap(\.self)).contains { $0.origin.hasPrefix(start) }
        }
        return explanation
    }

    /// The explanation with other texts for the URL and the values.
    package func showing(_ text: (String) -> String) -> Explanation {
        var explanation = self
        explanation.url = text(url)
        for row in rows.indices {
            for index in rows[row].standing.indices {
                explanation.rows[row].standing[index].value = rows[row].standing[index].value.map(text)
            }
            for index in rows[row].shadowed.indices {
                explanation.rows[row].shadowed[index].value = rows[row].shadowed[index].value.map(text)
            }
        }
        return explanation
    }

    /// The text that a signature is made of.
    private static func parts(of signed: SignedRequest, from source: Source, _ redactor: Redactor) -> [Source] {
        let text = String(decoding: redactor.redact(signed.text), as: UTF8.self)
        return [Source(value: text, layer: source.layer, origin: source.origin)]
    }

    /// The order of the parts: request line, headers, body, transfer settings.
    private static func rank(_ part: String) -> Int {
        let order = ["method", "scheme", "host", "port", "base path", "path", "query", "query ", "header ", "body"]
        return order.firstIndex { part == $0 || $0.hasSuffix(" ") && part.hasPrefix($0) } ?? order.count
    }
}

extension Explanation {
    package var json: OrderedJSON {
        .object([
            "endpoint": .string(endpoint), "environment": .string(environment), "method": .string(method),
            "url": .string(url), "parts": .array(rows.map(\.json)),
        ])
    }
}

extension Explanation.Row {
    fileprivate var json: OrderedJSON {
        .object([
            "part": .string(part),
            "values": .array(standing.map(\.json)),
            "removedBy": removedBy.map(\.json),
            "shadowed": .array(shadowed.map(\.json)),
        ])
    }
}

extension Explanation.Source {
    fileprivate var json: OrderedJSON {
        .object([
            "value": value.map { .string($0) } ?? .null, "layer": .string(layer), "origin": .string(origin),
            "functions": functions.isEmpty ? nil : .array(functions.map { .string($0) }),
        ])
    }
}

extension String {
    /// The placeholders with functions in a value as written. In JSON, they are in strings, which have escapes of their own.
    fileprivate var functions: [String] {
        (OrderedJSON(parsing: self)?.texts ?? [self]).flatMap { text in
            let bytes = Array(text.utf8)
            return TemplateReader(bytes).compactMap { piece -> String? in
                guard case .placeholder(let content) = piece,
                    PlaceholderScanner(bytes, from: content.lowerBound).isComputed
                else { return nil }
                return "{{\(String(decoding: bytes[content], as: UTF8.self))}}"
            }
        }
    }
}

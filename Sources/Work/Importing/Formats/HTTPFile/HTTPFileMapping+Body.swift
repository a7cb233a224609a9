import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

extension HTTPFileMapping {
    mutating func addBody(isGraphQL: Bool, to request: inout ImportedRequest) {
        guard let first = block.body.first else { return }
        if block.body.count == 1, let path = Self.path(first) {
            request.body = .file(names.template(path.path).text)
            if path.isTemplate {
                note(.approximated, "placeholders in a file are not filled in", at: first.place)
            }
            return
        }
        let type = request.headers.text("Content-Type")
        let media = MediaType(type ?? "")
        if media.isMultipart, let type, addMultipart(type, to: &request) { return }
        for line in block.body where Self.path(line) != nil {
            note(.lost, "a file inside a body is not converted", at: line.place)
        }
        let lines = block.body.filter { Self.path($0) == nil }.map(\.text)
        let text = names.template(media.isForm ? Self.form(lines) : lines.joined(separator: "\n"))
        if isGraphQL { return addGraphQL(lines, to: &request) }
        request.headers.remove("Content-Length")
        jsonNames = request.setBody(text, isExact: isExact, &notes)
    }

    /// The text of a form. Spaces around names and values only make the lines readable.
    private static func form(_ lines: [String]) -> String {
        lines.joined().split(separator: "&", omittingEmptySubsequences: false).map { field in
            field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0).trimmed }
                .joined(separator: "=")
        }.joined(separator: "&")
    }

    /// The path of `< ./file` and `<@ ./file`.
    static func path(_ line: SourceLine) -> (path: String, isTemplate: Bool)? {
        let text = line.text
        guard text.hasPrefix("< ") || text.hasPrefix("<@") else { return nil }
        let rest = text.hasPrefix("<@") ? text.dropFirst(2) : text.dropFirst(1)
        // `<@latin1 file` names an encoding.
        let words = rest.split(separator: " ")
        guard let last = words.last, words.count <= 2 else { return nil }
        if text.hasPrefix("< "), words.count != 1 { return nil }
        return (last.hasPrefix("./") ? String(last.dropFirst(2)) : String(last), text.hasPrefix("<@"))
    }

    private mutating func addGraphQL(_ lines: [String], to request: inout ImportedRequest) {
        var query = names.template(lines.joined(separator: "\n"))
        var variables: TemplateJSON?
        if let gap = lines.lastIndex(where: { $0.trimmed.isEmpty }) {
            variables = TemplateJSON(names.template(lines[(gap + 1)...].joined(separator: "\n")))
            if variables != nil { query = names.template(lines[..<gap].joined(separator: "\n")) }
        }
        jsonNames = variables?.bareNames ?? []
        notes += variables?.notes(at: request.place) ?? []
        request.body = .graphQL(query.trimmed.text, variables: variables?.value)
        request.headers.removeAll { $0.name == "Content-Type" && $0.value == "application/json" }
    }

    // MARK: Parts

    /// Reads the parts between the boundaries. Returns false if there are no parts.
    private mutating func addMultipart(_ type: String, to request: inout ImportedRequest) -> Bool {
        guard let mark = type.firstRange(of: "boundary=") else { return false }
        let boundary = type[mark.upperBound...].prefix { $0 != ";" }.filter { $0 != "\"" }
        guard !boundary.isEmpty else { return false }
        var parts: [(name: String, value: OrderedJSON)] = []
        var lines: [SourceLine]?
        for line in block.body {
            let text = line.text.trimmed
            guard text == "--\(boundary)" || text == "--\(boundary)--" else {
                lines?.append(line)
                continue
            }
            if let lines, let part = part(lines) { parts.append(part) }
            lines = text.hasSuffix("--") && text != "--\(boundary)" ? nil : []
        }
        if let lines, !lines.isEmpty, let part = part(lines) { parts.append(part) }
        guard !parts.isEmpty else { return false }
        request.body = .multipart(.grouped(parts))
        request.headers.remove("Content-Type")
        return true
    }

    private mutating func part(_ lines: [SourceLine]) -> (name: String, value: OrderedJSON)? {
        var fields: [String: String] = [:]
        let head = lines.prefix { !$0.trimmed.isEmpty }
        for line in head {
            let parts = line.text.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { fields[String(parts[0]).trimmed.lowercased()] = String(parts[1]).trimmed }
        }
        let content = lines.dropFirst(head.count + 1)
        let disposition = Self.parameters(fields["content-disposition"] ?? "")
        guard let name = disposition["name"] else {
            if let first = lines.first { note(.lost, "a part without a name is not converted", at: first.place) }
            return nil
        }
        let path = content.count == 1 ? content.first.flatMap { Self.path($0)?.path } : nil
        let text = path == nil ? content.map(\.text).joined(separator: "\n") : nil
        let isOwn = { (filename: String) in filename != path?.split(separator: "/").last.map(String.init) }
        let values = [
            text, path, disposition["filename"].flatMap { isOwn($0) ? $0 : nil },
            fields["content-type"].flatMap { path != nil || $0 != "text/plain" ? $0 : nil },
        ].map { $0.map { names.template($0).text } }
        return (
            name,
            .part(
                text: values[0].map { .string($0) }, file: values[1], filename: values[2], contentType: values[3])
        )
    }

    /// The parameters of a header: `form-data; name="title"`.
    private static func parameters(_ header: String) -> [String: String] {
        var parameters: [String: String] = [:]
        for item in header.split(separator: ";") {
            let sides = item.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
            if sides.count == 2 { parameters[sides[0].lowercased()] = sides[1].filter { $0 != "\"" } }
        }
        return parameters
    }
}

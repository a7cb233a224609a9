import ReqcliBasics
package import ReqcliDefinitions
import ReqcliOpenAPI
package import ReqcliText

/// Descriptions of APIs in OpenAPI and Swagger.
package enum OpenAPIImport: ImportFormat {
    package static let name = "openapi"
    /// The message of a note about an example that a stub variant has, although its schema says otherwise.
    package static let badExample = "the example of a response doesn't match its schema"
    package static let summary = "OpenAPI 3.0, 3.1, 3.2 and Swagger 2.0, as JSON or YAML"
    package static let isUpdatable = true

    package static func looksLike(_ file: SourceFile) -> Bool {
        let first = file.bytes.first { !$0.isJSONWhitespace && $0 < 0x80 }
        return first == .openBrace ? KeySearch.isInJSON(file.bytes) : KeySearch.isInYAML(file.bytes)
    }

    package static func read(
        _ source: ImportSource, _ options: ImportOptions, _ notes: inout [ConversionNote]
    ) throws(ImportProblem) -> ImportedAPI {
        guard source.files.count == 1, let file = source.files.first else {
            throw ImportProblem(
                "only one description can be imported at a time; found \(source.files.count) files",
                at: source.files.first.map { Place($0, 0..<0) }, hint: "import the files one after the other",
                isUsage: true)
        }
        let document: OpenAPIDocument
        do throws(OpenAPIProblem) {
            document = try OpenAPIDocument.read(file) { path in
                source.read(path).mapError { OpenAPIFileProblem($0.reason) }
            }
        } catch {
            throw ImportProblem(error.diagnostics)
        }
        var reader = OpenAPIReader(document, options, url: source.url)
        let api = reader.read()
        notes += reader.notes
        return api
    }
}

/// Looks for the key that every description has. The key may be at the very end of the file.
private enum KeySearch {
    private static let keys = ["openapi", "swagger"].map { Array($0.utf8) }

    /// Whether the outermost object has the key.
    static func isInJSON(_ bytes: [UInt8]) -> Bool {
        var depth = 0
        var position = 0
        while position < bytes.count {
            switch bytes[position] {
            case .openBrace, .openBracket: depth += 1
            case .closeBrace, .closeBracket: depth -= 1
            case .quote:
                let start = position + 1
                position = start
                while position < bytes.count, bytes[position] != .quote {
                    position += bytes[position] == .backslash ? 2 : 1
                }
                guard depth == 1, position < bytes.count, keys.contains(Array(bytes[start..<position])) else { break }
                let next = bytes[(position + 1)...].first { !$0.isJSONWhitespace }
                if next == .colon { return true }
            default: break
            }
            position += 1
        }
        return false
    }

    /// Whether a line begins with the key, indented as the first line that has a key.
    static func isInYAML(_ bytes: [UInt8]) -> Bool {
        let lines = bytes.split(separator: .lineFeed).map { $0.drop { $0 >= 0x80 } }
        let first = lines.first { line in
            let text = line.drop { $0.isJSONWhitespace }
            return !text.isEmpty && text.first != UInt8(ascii: "#") && text.first != UInt8(ascii: "%")
                && !line.starts(with: "---".utf8)
        }
        let indent = first?.prefix { $0 == .space } ?? []
        return lines.contains { line in
            guard line.starts(with: indent) else { return false }
            let line = line.dropFirst(indent.count).drop { $0 == .quote || $0 == .apostrophe }
            return keys.contains { key in
                guard line.starts(with: key) else { return false }
                let rest = line.dropFirst(key.count).drop { $0 == .quote || $0 == .apostrophe || $0 == .space }
                return rest.first == .colon
            }
        }
    }
}

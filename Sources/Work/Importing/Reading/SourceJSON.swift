import ReqcliBasics
package import ReqcliText

/// Reads sources that are JSON.
package enum SourceJSON {
    /// The outermost value of a file.
    package static func root(of file: SourceFile) throws(ImportProblem) -> JSONValue {
        let document = JSONDocument.read(withoutByteOrderMark(file))
        guard let root = document.validRoot else {
            throw ImportProblem(document.diagnostics)
        }
        return root
    }

    /// The outermost value of a file in YAML or JSON.
    static func rootOfYAML(_ file: SourceFile) throws(ImportProblem) -> JSONValue {
        if object(of: file) != nil || problem(in: file) != nil { return try root(of: file) }
        let document = YAMLDocument.read(file)
        guard let root = document.validRoot else { throw ImportProblem(document.diagnostics) }
        return root
    }

    /// The errors in a file that begins like a JSON object; nil for any other file.
    package static func problem(in file: SourceFile) -> ImportProblem? {
        let first = file.bytes.first { !$0.isJSONWhitespace && !byteOrderMark.contains($0) }
        if first != .openBrace { return nil }
        do throws(ImportProblem) { _ = try root(of: file) } catch { return error }
        return nil
    }

    /// The outermost value of a file, if it is an object. Used to guess the format of a file.
    package static func object(of file: SourceFile) -> JSONValue? {
        guard file.bytes.first(where: { !$0.isJSONWhitespace && !byteOrderMark.contains($0) }) == .openBrace else {
            return nil
        }
        let document = JSONDocument.read(withoutByteOrderMark(file), limits: JSONReader.Limits(problems: 1))
        return document.root.flatMap { $0.kind == .object ? $0 : nil }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The file without a byte order mark, which programs on Windows add.
    private static func withoutByteOrderMark(_ file: SourceFile) -> SourceFile {
        guard file.bytes.starts(with: byteOrderMark) else { return file }
        return SourceFile(name: file.name, bytes: Array(file.bytes.dropFirst(3)), isSecret: file.isSecret)
    }
}

extension JSONValue {
    /// The elements of an array; empty for any other value.
    package func list(_ key: String) -> [JSONValue] { self[key].map { Array($0.elements) } ?? [] }

    /// A scalar as text.
    package var scalarText: String? {
        switch kind {
        case .string: string
        case .number, .true, .false: text
        case .object, .array, .null, .invalid: nil
        }
    }
}

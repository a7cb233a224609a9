package import ReqcliAssembly
package import ReqcliDefinitions
package import ReqcliText

/// One row of the `--data` file, with values for params.
package struct DataRow: Sendable {
    package struct Value: Sendable {
        package let name: String
        package let value: ParameterArgument.Source
        package let place: Place
    }

    /// The number of the row in the file, from 1.
    package let number: Int
    package let values: [Value]
    package let place: Place
}

extension ParameterArgument.Source {
    /// The value on one line, for messages.
    package var shown: String {
        switch self {
        case .text(let text), .file(let text), .value(.string(let text)): text
        case .value(let value): value.compact
        }
    }
}

/// The rows of a data file.
package struct DataTable: Sendable {
    package let rows: [DataRow]
    /// The names of the columns, without duplicates, with the place where each one first occurs.
    package let columns: [(name: String, place: Place)]
    package let file: SourceFile
}

extension DataTable {
    /// The format of a file.
    private enum Format {
        case csv, list, lines

        /// The format by the ending of the file's name or, for standard input (`-`), by the first character.
        init?(_ file: SourceFile) {
            let name = file.name.lowercased()
            if name == "-" {
                let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
                let text = file.bytes.drop { byteOrderMark.contains($0) || [0x20, 0x09, 0x0A, 0x0D].contains($0) }
                switch text.first {
                case UInt8(ascii: "["): self = .list
                case UInt8(ascii: "{"): self = .lines
                default: self = .csv
                }
            } else if name.hasSuffix(".csv") {
                self = .csv
            } else if name.hasSuffix(".json") {
                self = .list
            } else if name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl") {
                self = .lines
            } else {
                return nil
            }
        }
    }

    /// The rows and their columns, in the order in which the column names first occur.
    private struct Content {
        var rows: [DataRow] = []
        private(set) var columns: [(name: String, place: Place)] = []
        private var seen: Set<String> = []

        mutating func name(_ column: String, at place: Place) {
            if seen.insert(column).inserted { columns.append((column, place)) }
        }
    }

    /// Reads a file, in the format of its ending: `.csv`, `.json` (a list of objects) or `.ndjson` (an object per
    /// line). The format of standard input follows from its first character.
    ///
    /// If the value is nil, the diagnostics contain an error.
    ///
    /// - Parameter mayBeEmpty: Whether a file without rows is fine.
    package static func read(_ file: SourceFile, mayBeEmpty: Bool = false) -> Diagnosed<DataTable?> {
        let read: Diagnosed<Content>
        switch Format(file) {
        case .csv: read = csv(file)
        case .list: read = json(file)
        case .lines: read = lines(file)
        case nil:
            return Diagnosed(nil, [problem("unknown file format", in: file, hint: "name it .csv, .json or .ndjson")])
        }
        if read.diagnostics.contains(where: { $0.severity == .error }) { return Diagnosed(nil, read.diagnostics) }
        if read.value.rows.isEmpty, !mayBeEmpty {
            return Diagnosed(
                nil, [problem("the file has no rows, so nothing would be checked", in: file, hint: "add a row")])
        }
        return Diagnosed(
            DataTable(rows: read.value.rows, columns: read.value.columns, file: file), read.diagnostics)
    }

    private static func problem(_ message: String, in file: SourceFile, hint: String) -> Diagnostic {
        Diagnostic(code: .dataInvalid, message, at: nil, fileName: file.name, hint: hint)
    }
}

// MARK: - CSV

extension DataTable {
    /// Reads a CSV file, whose first line names the params.
    private static func csv(_ file: SourceFile) -> Diagnosed<Content> {
        var reader = CSVReader(file)
        guard let header = reader.nextRecord() else { return Diagnosed(Content()) }
        var problems = namingProblems(header)
        var content = Content()
        for field in header { content.name(field.text, at: field.place) }
        while let record = reader.nextRecord() {
            guard let first = record.first, let last = record.last else { continue }
            let place = Place(file, first.place.range.lowerBound..<last.place.range.upperBound)
            if record.count != header.count {
                problems.append(
                    Diagnostic(
                        code: .dataInvalid,
                        "this line has \(counted(record.count, "field")), the first line has \(header.count)",
                        at: place, hint: "put quotes around a field that contains a comma"))
            }
            let values = zip(header, record).compactMap { name, field -> DataRow.Value? in
                if field.text.isEmpty, !field.isQuoted { return nil }
                return DataRow.Value(name: name.text, value: .text(field.text), place: field.place)
            }
            content.rows.append(DataRow(number: content.rows.count + 1, values: values, place: place))
        }
        return Diagnosed(content, reader.diagnostics + problems)
    }

    private static func namingProblems(_ header: [CSVReader.Field]) -> [Diagnostic] {
        var seen: Set<String> = []
        return header.compactMap { field in
            if !Name.isValid(field.text) {
                return Diagnostic(
                    code: .dataInvalid, "\"\(field.text)\" can't be the name of a param", at: field.place,
                    hint: "the first line contains the names of the params")
            }
            return seen.insert(field.text).inserted
                ? nil : Diagnostic(code: .dataInvalid, "two columns have the name \"\(field.text)\"", at: field.place)
        }
    }

    private static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

// MARK: - JSON

extension DataTable {
    private static func json(_ file: SourceFile) -> Diagnosed<Content> {
        let document = JSONDocument.read(file)
        guard let root = document.validRoot else {
            return Diagnosed(Content(), document.diagnostics)
        }
        guard root.kind == .array else {
            return Diagnosed(Content(), [Diagnostic(code: .dataInvalid, "expected a list of objects", at: root.place)])
        }
        var problems: [Diagnostic] = []
        var content = Content()
        for (index, element) in root.elements.enumerated() {
            read(element, number: index + 1, into: &content, &problems) { $0 }
        }
        return Diagnosed(content, problems)
    }

    private static func lines(_ file: SourceFile) -> Diagnosed<Content> {
        var content = Content()
        var problems: [Diagnostic] = []
        var start = 0
        for line in file.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            defer { start += line.count + 1 }
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            let offset = start
            // Each line is parsed as a separate document, so places in the line are converted to places in the file.
            func moved(_ place: Place) -> Place {
                Place(file, place.range.lowerBound + offset..<place.range.upperBound + offset)
            }
            let document = JSONDocument.read(SourceFile(name: file.name, bytes: Array(line)))
            guard let root = document.validRoot else {
                problems += document.diagnostics.map { $0.moved(moved) }
                continue
            }
            read(root, number: content.rows.count + 1, into: &content, &problems, moved)
        }
        return Diagnosed(content, problems)
    }

    private static func read(
        _ value: JSONValue, number: Int, into content: inout Content, _ problems: inout [Diagnostic],
        _ moved: (Place) -> Place
    ) {
        guard value.kind == .object else {
            problems.append(
                Diagnostic(
                    code: .dataInvalid, "a row is an object of params and values; found \(value.kindDescription)",
                    at: moved(value.place)))
            return
        }
        var seen: Set<String> = []
        let values = value.members.compactMap { member -> DataRow.Value? in
            let place = moved(member.key.place)
            guard Name.isValid(member.name) else {
                problems.append(
                    Diagnostic(
                        code: .dataInvalid, "\"\(member.name)\" can't be the name of a param", at: place))
                return nil
            }
            guard seen.insert(member.name).inserted else {
                problems.append(Diagnostic(code: .dataInvalid, "\"\(member.name)\" is given twice", at: place))
                return nil
            }
            content.name(member.name, at: place)
            return DataRow.Value(
                name: member.name, value: .value(OrderedJSON(member.value)), place: moved(member.value.place))
        }
        content.rows.append(DataRow(number: number, values: values, place: moved(value.place)))
    }
}

extension Diagnostic {
    /// A copy of the diagnostic with all its places changed.
    func moved(_ move: (Place) -> Place) -> Diagnostic {
        Diagnostic(
            severity, code: code, message, at: place.map(move), fileName: fileName, hint: hint,
            notes: notes.map { Note($0.message, at: move($0.place)) })
    }
}

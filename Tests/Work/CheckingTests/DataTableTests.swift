import Checking
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// Rows of values for params, from tables and JSON.
struct DataTableTests {
    static func read(_ name: String, _ text: String) -> Diagnosed<DataTable?> {
        DataTable.read(SourceFile(name: name, text: text))
    }

    /// `a=text` for text, `a:json` for values with a type.
    static func lines(_ table: DataTable?) -> [String] {
        (table?.rows ?? []).map { row in
            row.values.map { value in
                switch value.value {
                case .text(let text): "\(value.name)=\(text)"
                case .value(let json): "\(value.name):\(json.compact)"
                case .file(let path): "\(value.name)@\(path)"
                }
            }.joined(separator: " ")
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let file: String
        let text: String
        let rows: [String]

        init(_ name: String, _ file: String, _ text: String, _ rows: [String]) {
            (self.name, self.file, self.text, self.rows) = (name, file, text, rows)
        }

        var testDescription: String { name }
    }

    static let tables: [Case] = [
        Case("lines", "d.csv", "id,name\n1,Ann\n2,Bob\n", ["id=1 name=Ann", "id=2 name=Bob"]),
        Case("lines that end with CR LF, the last without", "d.CSV", "id\r\n1\r\n2", ["id=1", "id=2"]),
        Case(
            "quotes around commas, line breaks and quotes", "d.csv", "a,b\n\"x,\"\"y\"\"\",\"1\n2\r\n\"\n",
            ["a=x,\"y\" b=1\n2\r\n"]),
        Case("an empty field is no value, in quotes it is", "d.csv", "a,b,c\n,\"\",1\n", ["b= c=1"]),
        Case("lines without anything are passed over", "d.csv", "\n\na\n\n1\n\r\n2\n\n", ["a=1", "a=2"]),
        Case("a byte order mark", "d.csv", "\u{FEFF}a\n1\n", ["a=1"]),
        Case("blanks belong to the text", "d.csv", "a\n 1 \n", ["a= 1 "]),
        Case("a lone carriage return too", "d.csv", "a\n1\r2\n", ["a=1\r2"]),
        Case(
            "a list of objects", "d.json", #"[{"id": 1.0, "tags": ["x"]}, {}]"#, [#"id:1.0 tags:["x"]"#, ""]),
        Case("an object a line", "d.ndjson", "{\"a\": 1}\n\n  {\"b\": null}\r\n", ["a:1", "b:null"]),
        Case("standard input that begins a list", "-", " \n[{\"a\": 1}]", ["a:1"]),
        Case("standard input that begins an object", "-", "{\"a\": 1}\n{\"a\": 2}\n", ["a:1", "a:2"]),
        Case("standard input that begins with anything else", "-", "a\n1\n", ["a=1"]),
        Case("the other name of that", "d.jsonl", "{\"a\": \"1\"}", ["a:\"1\""]),
    ]

    @Test("A file's rows are read", arguments: tables)
    func rows(_ each: Case) {
        let read = Self.read(each.file, each.text)
        #expect(read.diagnostics == [])
        #expect(Self.lines(read.value) == each.rows)
    }

    static let mistakes: [(file: String, text: MarkedText, message: String)] = [
        ("d.csv", "a,b\n1,⟦\"⟧x\ny", "this quote is never closed"),
        ("d.csv", "a\n\"x\"⟦⟧y\n", "found text after the closing quote"),
        ("d.csv", "a\nx⟦\"⟧y\n", "found a quote inside a field that is not quoted"),
        ("d.csv", "a,b\n⟦1⟧\n", "this line has 1 field, the first line has 2"),
        ("d.csv", "a,b\n⟦1,2,3⟧\n", "this line has 3 fields, the first line has 2"),
        ("d.csv", "a,⟦a⟧\n1,2\n", "two columns have the name \"a\""),
        ("d.csv", "a,⟦⟧\n1,2\n", "\"\" can't be the name of a param"),
        ("d.csv", "⟦user id⟧\n1\n", "\"user id\" can't be the name of a param"),
        ("d.json", "⟦{\"a\": 1}⟧", "expected a list of objects"),
        ("d.json", "[{}, ⟦3⟧]", "a row is an object of params and values; found a number"),
        ("d.json", "[{\"a\": 1, ⟦\"a\"⟧: 2}]", "\"a\" is given twice"),
        ("d.ndjson", "{\"a\": 1}\n{\"b\": ⟦nul⟧}\n", "\"nul\" is not a JSON value"),
        ("d.ndjson", "{\"a\": 1}\n\n⟦[]⟧\n", "a row is an object of params and values; found an array"),
    ]

    @Test("A mistake is told at its place", arguments: mistakes)
    func mistake(_ file: String, _ text: MarkedText, _ message: String) {
        let read = Self.read(file, text.text)
        #expect(read.value == nil)
        #expect(read.diagnostics.map(\.message) == [message])
        #expect(read.diagnostics.map { $0.place?.range.lowerBound } == [text.ranges[0].lowerBound])
    }

    @Test(
        "A file without rows, or of an unknown kind, is a mistake too",
        arguments: [
            ("d.csv", "a,b\n", "the file has no rows, so nothing would be checked"),
            ("d.json", "[]", "the file has no rows, so nothing would be checked"),
            ("d.ndjson", "", "the file has no rows, so nothing would be checked"),
            ("d.txt", "a", "unknown file format"),
        ])
    func nothing(_ file: String, _ text: String, _ message: String) {
        let read = Self.read(file, text)
        #expect(read.value == nil)
        #expect(read.diagnostics.map(\.message) == [message])
        #expect(read.diagnostics.first?.fileName == file)
    }

    @Test("Bytes that are no UTF-8 are a mistake at the field")
    func encoding() {
        let read = DataTable.read(SourceFile(name: "d.csv", bytes: Array("a,b\n1,".utf8) + [0xFF] + Array("\n".utf8)))
        #expect(read.value == nil)
        #expect(read.diagnostics.map { $0.place?.description } == ["d.csv:2:3"])
    }

    @Test("No text makes the reader crash or stand still")
    func fuzz() {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<3000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                Array("ab,\"\n\r\u{FF}é".utf8).randomElement(using: &generator) ?? 0
            }
            for name in ["d.csv", "d.ndjson"] {
                let read = DataTable.read(SourceFile(name: name, bytes: bytes))
                #expect((read.value == nil) == read.diagnostics.contains { $0.severity == .error })
            }
        }
    }

    @Test(
        "A column stands where it is named, with a value or without",
        arguments: [
            ("d.csv", "id,⟦nmae⟧\n1,\n2,\n"), ("d.csv", "⟦nmae⟧,id\n1,2\n"),
            ("d.json", #"[{"id": 1}, {⟦"nmae"⟧: 1}, {"nmae": 2}]"#), ("d.ndjson", "{\"id\": 1}\n{⟦\"nmae\"⟧: null}\n"),
        ] as [(String, MarkedText)])
    func columns(_ name: String, _ text: MarkedText) throws {
        let table = try #require(Self.read(name, text.text).value)
        let column = try #require(table.columns.first { $0.name == "nmae" })
        #expect(table.columns.count == 2)
        #expect(column.place.range == text.ranges.first)
    }
}

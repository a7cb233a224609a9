import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// The key `snapshot` of an expectation, and the files of `snapshots/`.
struct SnapshotTests {
    static let mistakes: [Mistake] = [
        .endpoint(
            "a path to match, and its conditions",
            #"{"expect": {"snapshot": {"match": {"$.⟦?⟧": {"matches": "⟦*⟧"}}}}}"#,
            .error("jsonpath.syntax", #"expected a name or "*" after ".", found "?""#),
            .error(
                "pattern.invalid", #""*" has nothing to repeat"#, hint: #"write \* for the character itself"#)),
        .endpoint(
            "a path to ignore, behind an escape", #"{"expect": {"snapshot": {"ignore": ["$.a", "$.\u00e9⟦?⟧"]}}}"#,
            .error(
                "jsonpath.syntax", #""?" is not allowed in a name without quotes"#,
                hint: #"put the name in ["…"]"#)),
    ]

    @Test("a mistake is told at its place", arguments: mistakes)
    func isTold(_ mistake: Mistake) {
        #expect(lines(mistake.workspace.validate().diagnostics) == mistake.expectedLines)
    }

    private static func warnings(_ files: [String: String]) -> [String] {
        let all = ["environments/development.json": "{}"].merging(files) { $1 }
        return lines(Workspace.inMemory(all.map { ($0.key, $0.value) }).validate().diagnostics)
    }

    private static let snapshot = #"{"status": 200}"#

    @Test("a check and an endpoint must not have the same file")
    func clash() {
        let told = Self.warnings([
            "endpoints/a.json": #"{"checks": [{"name": "b", "expect": {"snapshot": true}}]}"#,
            "endpoints/a/b.json": #"{"expect": {"snapshot": true}}"#,
        ])
        #expect(
            told == [
                "endpoints/a.json:21-24 error snapshot.clash: the check \"b\" and the endpoint a.b would have the same "
                    + "snapshot | give the check another name"
            ])
    }

    @Test("a snapshot without a case is a warning")
    func unused() {
        let told = Self.warnings([
            "endpoints/a.json": #"{"checks": [{"name": "b c", "expect": {"snapshot": true}}]}"#,
            "snapshots/a.json": Self.snapshot, "snapshots/a.b_c.json": Self.snapshot,
            "snapshots/a.b_c#id=1.json": Self.snapshot, "snapshots/x#id=1.json": Self.snapshot,
            "snapshots/y.json": "no JSON", "snapshots/z.json": "{}", "snapshots/README.md": "",
        ])
        let advice = "no case uses this snapshot | run \"reqcli check --update-snapshots\" to remove it"
        let foreign = "the file is not a snapshot, and no case uses it | move the file out of snapshots/"
        #expect(
            told == ["snapshots/a.json", "snapshots/x#id=1.json"].map { "\($0) warning snapshot.unused: \(advice)" }
                + ["snapshots/y.json", "snapshots/z.json"].map { "\($0) warning snapshot.unused: \(foreign)" })
    }

    @Test("a case of one environment alone keeps its snapshot")
    func environments() {
        let told = Self.warnings([
            "endpoints/a.json":
                #"{"expect": {"status": 200}, "environments": {"development": {"expect": {"snapshot": true}}}}"#,
            "endpoints/g.json": #"{"defaults": {"expect": {"snapshot": true}}, "endpoints": {"a": {}}}"#,
            "snapshots/a.json": Self.snapshot, "snapshots/g.a.json": Self.snapshot,
        ])
        #expect(told == [])
    }

    @Test(
        "a file that is no snapshot is an error",
        arguments: [
            (
                #"⟦{⟧⟦"stauts"⟧: 200}"#,
                ["unknown key \"stauts\" in a snapshot", "a snapshot needs \"status\": a whole number from 100 to 999"]
            ),
            (#"{"status": ⟦"200"⟧}"#, [#""status" takes a whole number from 100 to 999; found "200""#]),
            (#"{"status": 200, "body": {"a": [{"b": 1, ⟦"b"⟧: 2}]}}"#, ["the key \"b\" is given twice"]),
            (#"{"status": 200, "headers": {"A": ⟦1⟧}}"#, [#""A" takes text; found 1"#]),
            (##"⟦{⟧"status": 200"##, [#"this "{" is never closed"#]),
        ] as [(MarkedText, [String])])
    func broken(_ file: MarkedText, _ messages: [String]) {
        let files = [
            "endpoints/a.json": #"{"expect": {"snapshot": true}}"#, "environments/development.json": "{}",
            "snapshots/a.json": file.text,
        ]
        let told = Workspace.inMemory(files.map { ($0.key, $0.value) }).validate().diagnostics
        #expect(Set(told.map(\.message)) == Set(messages), "\(told.map(\.message))")
        #expect(told.allSatisfy { $0.severity == .error && $0.place?.file.name == "snapshots/a.json" })
        #expect(Set(told.compactMap(\.place?.range.lowerBound)) == Set(file.ranges.map(\.lowerBound)))
    }

    // MARK: Names

    @Test("a file is named after its case and the values of its row")
    func names() {
        #expect(SnapshotName(endpoint: "user.get").path == "snapshots/user.get.json")
        let check = SnapshotName(endpoint: "user.get", check: "is there")
        #expect(check.file == "user.get.is_there.json")
        #expect(SnapshotName(endpoint: "a", check: "../../x_y").file == "a.%2E%2E%2F%2E%2E%2Fx%5Fy.json")
        #expect(check.row([("id", "1"), ("name", "A/b")]).file == "user.get.is_there#id=1,name=A%2Fb.json")
        #expect(check.row([("id", "1")], number: 2).file == "user.get.is_there#id=1~2.json")
        #expect(check.row([]).file == "user.get.is_there#row.json")
        #expect(check.row([("id", "1")]).ofCase == check)
        #expect(SnapshotName(file: "user.get.is_there.json") == check)
        #expect(SnapshotName(file: ".json") == nil)
        #expect(SnapshotName(file: "a.txt") == nil)
    }

    @Test("names are short and safe, and different for different cases")
    func safeNames() {
        var generator = SeededGenerator(seed: 1)
        let pieces = ["a", "A", " ", "_", "/", "..", "%", "~", "#", "=", ",", "\0", "\n", "é", "日本", "😀", "%20", "x"]
        var seen: [String: [String]] = [:]
        for _ in 0..<5000 {
            func text() -> String {
                (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                    pieces.randomElement(using: &generator) ?? ""
                }.joined()
            }
            let (check, value) = (text(), text())
            let name = SnapshotName(endpoint: "a.b", check: check).row([("p", value)], number: 99)
            #expect(name.file.utf8.count <= 255)
            let isSafe = name.file.utf8.allSatisfy { (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "/") }
            #expect(isSafe && name.file.hasPrefix("a.b."), "\(name.file)")
            #expect(seen.updateValue([check, value], forKey: name.file) ?? [check, value] == [check, value])
            #expect(name.ofCase == SnapshotName(endpoint: "a.b", check: check))
        }
    }
}

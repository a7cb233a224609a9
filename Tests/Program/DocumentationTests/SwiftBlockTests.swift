import Testing

/// The Swift in the documentation is compiled: `Tests/library/check.sh` builds and tests the package of `docs/library.md`.
@Suite struct SwiftBlockTests {
    @Test("Every line of Swift in the README is part of the package that is compiled")
    func readme() throws {
        let built = Set(try Self.lines(of: "docs/library.md"))
        let shown = try Self.lines(of: "README.md")
        #expect(shown.count > 10)
        for line in shown { #expect(built.contains(line), Comment(rawValue: line)) }
    }

    private static func lines(of name: String) throws -> [String] {
        let page = try Page(named: name)
        return page.blocks.filter { $0.language == "swift" }.flatMap { page.lines[$0.range] }
            .map { String($0.trimmingPrefix { $0 == " " }) }
    }
}

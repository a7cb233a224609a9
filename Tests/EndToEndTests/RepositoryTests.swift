import Testing

/// The workspace at the root of this repository: the living documentation of the format.
struct RepositoryTests {
    static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

    @Test("Every file of the repository's own workspace is valid")
    func valid() throws {
        let run = try Program.run("validate", in: Self.root)
        #expect(run.status == 0)
        #expect(run.messages.isEmpty)
        #expect(run.output.hasPrefix("ok: "))
    }

    @Test("Every endpoint of it says what it is for, and can be shown")
    func shown() throws {
        let list = try Program.run("list", in: Self.root)
        #expect(list.status == 0)
        let ids = list.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
        #expect(ids.count >= 15)
        for id in ids {
            let run = try Program.run("show", id, in: Self.root)
            #expect(run.status == 0 && run.messages.isEmpty)
            let lines = run.output.split(separator: "\n")
            #expect(lines.count > 3 && lines[0] == id && !lines[1].contains("/"), "\(run.output)")
        }
    }
}

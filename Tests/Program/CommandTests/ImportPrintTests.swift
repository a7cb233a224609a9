import Commands
import TestSupport
import Testing

struct ImportPrintTests {
    @Test("import --print prints the files that it would write, without secrets, and writes nothing")
    func printed() async {
        let files = Samples.files()
        let before = files.texts
        let run = await reqcli(
            "import", "--print", "--as", "shop.get", "--", "curl", "http://shop.test/users/7", "-H",
            "Authorization: Bearer s3cr3t-of-ada-1234567", files: files)
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("endpoints/shop.json\n{\n"), "\(run.output)")
        #expect(run.output.contains(#""path": "/users/{{id}}""#), "\(run.output)")
        #expect(!(run.output + run.messages).contains("s3cr3t"), "\(run)")
        #expect(files.texts == before)
    }

    @Test("--print goes with no other form of the report", arguments: ["--dry-run", "--save-secrets", "--json"])
    func refused(_ option: String) async {
        let run = await reqcli(["import", "--print", option, "--", "curl", "http://h/"], files: Samples.files())
        #expect(run.status == 2 && run.messages.contains("--print"), "\(run)")
    }
}

import CommandLineKit
import Commands
import ReqcliAssembly
import ReqcliText
import TestSupport
import Testing

/// Bodies that are typed word by word: nested JSON and uploads.
struct TypedBodyTests {
    @Test(
        "brackets in names make objects and lists",
        arguments: [
            (["a[b]=1", "a[c][]:=2", "a[c][]=x", "d=e"], #"{"a":{"b":"1","c":[2,"x"]},"d":"e"}"#),
            (["l[2]=c", "l[0][k]=v"], #"{"l":[{"k":"v"},null,"c"]}"#),
            (["[]=1", "[]:={}"], #"["1",{}]"#), (["[a]=1", "[b][c]:=true"], #"{"a":"1","b":{"c":true}}"#),
            (["a\\[b\\]=1", "m[\\0]=2", "n]=3"], #"{"a[b]":"1","m":{"0":"2"},"n]":"3"}"#),
            (["a[b]=1", "a[b]=2", "a:={\"b\":3}", "a[c]=4"], #"{"a":{"b":3,"c":"4"}}"#),
            (["é[\u{301}x]=1"], #"{"é":{"\#u{301}x":"1"}}"#),
        ])
    func nested(_ words: [String], _ json: String) async {
        let files = MemoryFiles(["/work/note.txt": .text("hi\n")], currentFolder: "/work")
        let run = await TypedRequestTests.run(["render", "--format", "json", "https://h/"] + words, files)
        #expect(
            run.status == .success && run.output.contains(#""text": \#(OrderedJSON.string(json).compact)"#), "\(run)")
    }

    @Test("a@- uploads standard input, which only one part can read")
    func uploadedInput() async {
        let files = MemoryFiles([:], currentFolder: "/work")
        let run = await TypedRequestTests.run(
            ["render", "--format", "http", "http://h", "a@-", "b=1"], files, input: "x\ny")
        #expect(run.status == .success, "\(run)")
        #expect(
            run.output.contains("name=\"a\"; filename=\"-\"\r\nContent-Type: application/octet-stream\r\n\r\nx\ny\r\n"))
        let twice = await TypedRequestTests.run(["render", "http://h", "a@-", "b@=-"], files, input: "x")
        #expect(twice.status == .usage && twice.messages.contains("a already reads it"), "\(twice)")
    }

    @Test("a file to upload makes the request a form, and has the media type that is typed behind it")
    func upload() async {
        let files = MemoryFiles(["/work/note.txt": .text("hi\n")], currentFolder: "/work")
        let run = await TypedRequestTests.run(
            ["render", "--format", "json", "https://h/", "f@note.txt;type=a/b", "g@note.txt", "a=1"], files)
        let types = run.output.split(separator: "\n").filter { $0.contains(#""contentType""#) }
        #expect(types.count == 2 && types[0].contains("a/b") && types[1].contains("text/plain"), "\(run)")
        #expect(run.output.contains(#""name": "a""#), "\(run)")
    }

    @Test(
        "a value that has no place in the body is a mistake, and in a form brackets are part of the name",
        arguments: [
            ["a=1", "a[b]=2"], ["a[]=1", "a[b]=2"], ["a[b=1"], ["a[b]c=1"], ["a[[b]]=1"], ["a[10000]=1"],
            ["[]=1", "b=2"], ["a" + String(repeating: "[]", count: 5000) + "=1"],
        ])
    func misplaced(_ words: [String]) async {
        let files = MemoryFiles([:], currentFolder: "/work")
        let run = await TypedRequestTests.run(["render", "https://h/"] + words, files)
        #expect(run.status == .usage && run.messages.contains("=… has no place in the JSON body"), "\(run)")
        #expect(await TypedRequestTests.run(["render", "https://h/", "--form"] + words, files).status == .success)
    }
}

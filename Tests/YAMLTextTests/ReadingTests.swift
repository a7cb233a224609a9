import SourceText
import Testing
import YAMLText

struct ReadingTests {
    @Test("A mapping is read")
    func mapping() {
        #expect(YAMLDocument.read(SourceFile(name: "a.yaml", text: "a: 1\n")).problems == [])
    }
}

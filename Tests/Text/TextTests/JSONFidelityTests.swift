import ReqcliText
import TestSupport
import Testing

/// The tree keeps what other decoders lose: order, duplicates, the text of numbers, and the place of everything.
struct JSONFidelityTests {
    @Test("Members keep the order of the text, and a key that is there twice is there twice")
    func order() throws {
        let root = try #require(read(#"{"z":1,"a":2,"z":3,"m":4}"#).root)
        #expect(root.members.map(\.name) == ["z", "a", "z", "m"])
        #expect(root.members.map(\.value.text) == ["1", "2", "3", "4"])
        #expect(root.count == 4)
    }

    @Test("Looking a key up finds the last of its values, as most readers do")
    func lastWins() {
        let root = read(#"{"z":1,"a":2,"z":3}"#).root
        #expect(root?["z"]?.text == "3")
        #expect(root?["b"] == nil)
        #expect(read("[1]").root?["z"] == nil)
    }

    @Test("A key is found by what it says, not by how it is written, and scalar by scalar")
    func keysByScalars() {
        #expect(read(#"{"\u0061\/":1}"#).root?["a/"]?.text == "1")
        #expect(read("{\"e\u{301}\":1}").root?["é"] == nil)
        #expect(read(#"{"e\u0301":1}"#).root?["é"] == nil)
        #expect(read(#"{"e\u0301":1}"#).root?["e\u{301}"]?.text == "1")
    }

    @Test("A number keeps its text", arguments: ["1.0", "1e2", "-0", "100000000000000000000", "0.10", "1E+2"])
    func numbers(_ text: String) {
        #expect(read("[\(text)]").root?.elements.map(\.text) == [text])
    }

    @Test("Every key and value knows where it stands")
    func ranges() throws {
        let marked: MarkedText = #" ⟦{ ⟦"é"⟧ : ⟦[⟦1⟧, ⟦"\n"⟧ ,⟦{}⟧ ]⟧,⟦"b"⟧:⟦null⟧ }⟧ "#
        let root = try #require(read(marked.text).root)
        let members = Array(root.members)
        let found =
            [root.range, members[0].key.range, members[0].value.range] + members[0].value.elements.map(\.range)
            + [members[1].key.range, members[1].value.range]
        #expect(found == marked.ranges)
    }

    @Test("Counts tell elements and members, and scalars have none")
    func counts() {
        #expect(read("[1,[2,3],{}]").root?.count == 3)
        #expect(read(#"{"a":{"b":1,"c":2}}"#).root?.count == 1)
        #expect(read("7").root?.count == 0)
        #expect(read("[]").root.map { Array($0.elements).isEmpty } == true)
        #expect(read("{}").root.map { Array($0.members).isEmpty } == true)
    }

    @Test("Asking a value for what it isn't gives nothing")
    func wrongKinds() throws {
        let root = try #require(read(#"[{"a":1},[1],"s",1,true,null]"#).root)
        let values = Array(root.elements)
        #expect(values.map(\.string) == [nil, nil, "s", nil, nil, nil])
        #expect(values.map(\.bool) == [nil, nil, nil, nil, true, nil])
        #expect(values.map { $0.number?.text } == [nil, nil, nil, "1", nil, nil])
        #expect(values.map(\.isNull) == [false, false, false, false, false, true])
        #expect(Array(values[0].elements).isEmpty)
        #expect(Array(values[1].members).isEmpty)
    }
}

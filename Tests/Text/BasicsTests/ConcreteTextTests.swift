import ReqcliBasics
import Testing

@Suite struct ConcreteTextTests {
    /// The functions of the standard library, which generic code still calls.
    private func generalJoined(_ texts: some BidirectionalCollection<String>, _ separator: String) -> String {
        texts.joined(separator: separator)
    }

    private func generalRange<Whole: Collection<Character>>(of other: String, in whole: Whole) -> Range<Whole.Index>? {
        whole.firstRange(of: other)
    }

    @Test(arguments: [[], [""], ["a"], ["", ""], ["a", "", "b"], ["é", "x"]], ["", ", ", "\n"])
    func joins(_ texts: [String], _ separator: String) {
        #expect(texts.joined(separator: separator) == generalJoined(texts, separator))
    }

    @Test func findsWhatTheStandardLibraryFinds() {
        let letters: [Character] = ["a", "b", ":", "é"]
        var texts = [""]
        for length in 1...5 {
            texts += texts.filter { $0.count == length - 1 }.flatMap { text in letters.map { text + String($0) } }
        }
        for whole in texts {
            for other in texts.prefix(85) {
                #expect(whole.firstRange(of: other) == generalRange(of: other, in: whole))
            }
        }
    }

    @Test func findsInPartsOfTexts() {
        let text = "http://a://b"
        let rest = text.dropFirst(7)
        #expect(rest.firstRange(of: "://").map { text[$0.lowerBound...] } == "://b")
        #expect(rest.firstRange(of: "//a") == nil)
    }
}

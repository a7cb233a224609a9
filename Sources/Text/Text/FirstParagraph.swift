import ReqcliBasics

extension String {
    /// The first paragraph of a Markdown text, on one line, without heading marks and HTML tags. The paragraph ends at the first
    /// empty line.
    package var firstParagraph: String {
        var words: [Substring] = []
        let text = utf8.contains(UInt8(ascii: "<")) ? replacing(/<\/?[A-Za-z][^<>]*>/, with: "") : self
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let parts = line.drop { $0.isWhitespace || $0 == "#" }.split { $0.isWhitespace }
            if parts.isEmpty, !words.isEmpty { break }
            words += parts
        }
        return words.joined(separator: " ")
    }
}

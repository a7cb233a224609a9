import ReqcliBasics

extension String {
    /// The text of Markdown up to the first empty line, on one line, without heading marks and HTML tags.
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

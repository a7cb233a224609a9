import ReqcliDefinitions
import ReqcliText

extension CurlURL {
    /// A URL with the ranges and alternatives that curl would read in it; nil if curl would reject it.
    package static func read(_ text: String) -> CurlURL? {
        let place = Place(SourceFile(name: "the command line", text: text), 0..<text.utf8.count)
        var reader = CurlGlobReader(ShellWord(text, at: place))
        let pieces = reader.pieces()
        return reader.problems.isEmpty ? CurlURL(pieces: pieces, place: place) : nil
    }
}

extension CurlCommand {
    /// The largest number of URLs that ranges and alternatives may stand for in a call.
    package static let mostURLs = 1000

    /// Puts a target for each URL in place of ranges and alternatives, and the text in place of the files that curl changes.
    mutating func prepareForCall(_ read: CurlFiles) throws(ImportProblem) {
        var all: [Target] = []
        for target in targets {
            let words = target.url.expanded(atMost: Self.mostURLs)
            if words.isEmpty {
                throw ImportProblem(
                    "the ranges of the URL stand for more than \(Self.mostURLs) URLs", at: target.url.place,
                    isUsage: true)
            }
            all += words.map { word, _ in
                Target(url: CurlURL(pieces: [.text(word)], place: target.url.place), upload: target.upload)
            }
        }
        targets = all
        data = data.map { data in
            guard case .file(let file) = data.content, data.kind == .plain || data.kind == .urlEncoded,
                let path = file.text, let content = try? read(path).get(),
                let text = String(validating: content.bytes, as: UTF8.self)
            else { return data }
            // As in curl, `-d` leaves out the line breaks of a file.
            let sent = data.kind == .plain ? text.filter { !$0.isNewline && $0 != "\0" } : text
            return CurlData(
                kind: data.kind, name: data.name, content: .text(ShellWord(sent, at: file.place)), place: data.place)
        }
    }
}

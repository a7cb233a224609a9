import ReqcliBasics
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

extension CurlURL {
    /// The name of a file with `#1`, `#2` and so on replaced by the parts of a URL. As in curl, other numbers stay.
    package static func naming(_ name: String, _ parts: [String]) -> String {
        var result = ""
        var rest = name[...]
        while let mark = rest.firstIndex(of: "#") {
            result += rest[..<mark]
            let digits = rest[rest.index(after: mark)...].prefix { $0.isASCII && $0.isNumber }
            let part = Int(digits).flatMap {
                (1...max(1, parts.count)).contains($0) && !parts.isEmpty ? parts[$0 - 1] : nil
            }
            result += part ?? "#\(digits)"
            rest = rest[digits.endIndex...]
        }
        return result + rest
    }
}

extension CurlCommand {
    /// The largest number of URLs that ranges and alternatives may stand for in a call.
    package static let mostURLs = 1000

    /// The content with the file that has standard input in place of `-`, or without content if that is empty. It can be read only
    /// once.
    private static func read(_ content: CurlContent, _ read: CurlFiles) throws(ImportProblem) -> CurlContent {
        guard case .file(let file) = content, file.text == "-" else { return content }
        do throws(FileProblem) {
            let name = try read("-").get().name
            return name.isEmpty ? .text(ShellWord("", at: file.place)) : .file(ShellWord(name, at: file.place))
        } catch {
            throw ImportProblem("cannot read standard input: \(error.reason)", at: file.place, isUsage: true)
        }
    }

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
        targets = try all.map { (target) throws(ImportProblem) in
            Target(
                url: target.url,
                upload: try target.upload.map { (each) throws(ImportProblem) in
                    try Self.read(each, read)
                })
        }
        form = try form.map { (part) throws(ImportProblem) in
            guard let file = part.content.file, file.text == "-" else { return part }
            return part.replacing(try Self.read(.file(file), read))
        }
        data = try data.map { (data) throws(ImportProblem) in
            let data = CurlData(
                kind: data.kind, name: data.name, content: try Self.read(data.content, read), place: data.place)
            guard case .file(let file) = data.content, data.kind == .plain || data.kind == .urlEncoded,
                let path = file.text
            else { return data }
            var bytes: [UInt8]
            do throws(FileProblem) { bytes = try read(path).get().bytes } catch {
                throw ImportProblem("cannot read \(path): \(error.reason)", at: file.place, isUsage: true)
            }
            // As in curl, `-d` leaves out the line breaks of a file.
            if data.kind == .plain { bytes.removeAll { [0, .lineFeed, .carriageReturn].contains($0) } }
            // Bytes that are not text stay in their file, and the importer says that it can't merge them.
            guard let sent = String(validating: bytes, as: UTF8.self) else { return data }
            return CurlData(
                kind: data.kind, name: data.name, content: .text(ShellWord(sent, at: file.place)), place: data.place)
        }
    }
}

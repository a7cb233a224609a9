import CommandLineKit
import Importing
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Reads the sources that the command line names: files, folders, URLs, standard input, or the words of a curl command.
struct ImportSourceReader {
    private let context: Context

    init(_ context: Context) { self.context = context }

    /// The largest source, in bytes.
    private static let largest = 64 << 20

    func read(_ command: ImportCommand) async throws(Failure) -> ImportSource {
        let words = command.sources
        if !command.typedCommand.isEmpty {
            let read = command.isCall ? typedFiles : try neighbours(of: ".")
            return ImportSource([], arguments: command.typedCommand, read: read)
        }
        if command.format == nil { try refuseUnknownFormat(words) }
        if command.format?.name == "curl", words.contains(where: { $0 == "curl" }) {
            return ImportSource([], arguments: words, read: try neighbours(of: "."))
        }
        if words.isEmpty || words == ["-"] {
            return ImportSource([try standardInput(command)], read: try neighbours(of: "."))
        }
        var files: [SourceFile] = []
        var url: String?
        for word in words {
            if ImportDownload.isURL(word) {
                if command.format?.name == CurlImport.name {
                    throw Failure(
                        .usage, code: .sourceUnreadable, "curl takes a command, not a URL",
                        hint: "write the whole command: \(Program.name) import -- curl https://example.com")
                }
                let download = try await ImportDownload(word).fetch(upTo: Self.largest, context)
                files.append(download.file)
                url = download.url
                continue
            }
            let path = try context.pathFromHere(word)
            if context.files.kind(path) == .directory {
                files += try folder(path, word)
            } else {
                files.append(try file(word))
            }
        }
        guard files.reduce(0, { $0 + $1.bytes.count }) <= Self.largest * 4 else {
            throw Failure(.usage, code: .sourceUnreadable, "together, the sources are larger than 256 MiB")
        }
        if ImportDownload.isURL(words[0]) {
            return ImportSource(files, url: files.count == 1 ? url : nil) { _ in
                .failure(FileProblem(.system("files next to a URL are not fetched")))
            }
        }
        return ImportSource(files, read: try neighbours(of: words[0]))
    }

    /// Rejects a first word that resembles the name of a format and is not the path of a file.
    private func refuseUnknownFormat(_ words: [String]) throws(Failure) {
        guard let word = words.first, word != "-", !ImportDownload.isURL(word),
            let question = ImportFormats.question(for: word), context.files.kind(try context.pathFromHere(word)) == nil
        else { return }
        throw Failure(
            .usage, code: .sourceUnreadable, "there is no format and no file \"\(TerminalText.harmless(word))\"",
            hint: question)
    }

    private func standardInput(_ command: ImportCommand) throws(Failure) -> SourceFile {
        if context.terminal.isTerminal(.input) { context.note("paste the text to import, then press Ctrl-D", at: nil) }
        let input = try file("-")
        if input.bytes.contains(where: { !$0.isJSONWhitespace }) { return input }
        let format = command.format?.name ?? ""
        let path = try context.pathFromHere(format)
        let isFile = !format.isEmpty && context.files.kind(path) != nil
        throw Failure(
            .usage, code: .sourceUnreadable, "standard input is empty",
            hint: isFile
                ? "\(format) is a format; to import the file or folder of this name, run: \(Program.name) import ./\(format)"
                : "name a file, or pipe the text in")
    }

    private func file(_ word: String) throws(Failure) -> SourceFile {
        let bytes = try context.read(
            word == "-" ? "-" : try context.pathFromHere(word), upTo: Self.largest,
            called: word == "-" ? "standard input" : word)
        guard bytes.count <= Self.largest else {
            throw Failure(.usage, code: .sourceUnreadable, "standard input is larger than \(Self.largest >> 20) MiB")
        }
        // Sources may contain credentials, so messages show only positions in a source, and never its text.
        return SourceFile(name: word == "-" ? "stdin" : word, bytes: bytes, isSecret: true)
    }

    /// The files of a folder in the order of their paths, without hidden files and without links.
    private func folder(_ path: String, _ word: String) throws(Failure) -> [SourceFile] {
        var found: [SourceFile] = []
        var open = [(path: path, shown: word)]
        while let next = open.popLast() {
            let names: [String]
            do throws(FileProblem) { names = try context.files.names(next.path) } catch {
                throw Failure(.usage, code: .fileUnreadable, "cannot read \(next.shown): \(error.reason)")
            }
            for name in names where name != "node_modules" {
                if name.hasPrefix("."), !ImportFormats.hiddenFolders.contains(name) { continue }
                let inner = (FilePath.join(next.path, name), FilePath.join(next.shown, name))
                let folder = context.files.resolve(next.path) ?? next.path
                guard context.files.resolve(inner.0) == FilePath.join(folder, name) else { continue }
                switch context.files.kind(inner.0) {
                case .directory: open.append(inner)
                case .file: found.append(try file(inner.1))
                default: continue
                }
                guard found.count <= Self.mostFiles else {
                    throw Failure(
                        .usage, code: .sourceUnreadable, "\(word) has more than \(Self.mostFiles) files",
                        hint: "name a folder with fewer files")
                }
            }
        }
        if found.isEmpty {
            throw Failure(
                .usage, code: .sourceUnreadable, "the folder \(word) has no files",
                hint: "hidden files, links and node_modules are left out")
        }
        return found.sorted { $0.name < $1.name }
    }

    private static let mostFiles = 100_000

    /// A function that reads any file or pipe, because the user has typed its path. For `-`, it returns the name of a file that has
    /// standard input, or no name if that is empty.
    var typedFiles: @Sendable (String) -> Result<SourceFile, FileProblem> {
        let context = context
        let isInputRead = Mutex(false)
        return { path in
            Result { () throws(FileProblem) in
                if path == "-" {
                    guard
                        isInputRead.withLock({ isRead in
                            defer { isRead = true }
                            return !isRead
                        })
                    else { throw FileProblem(.system("another part of the command already reads it")) }
                    context.noteWaiting()
                    return SourceFile(name: try context.world.spooledInput(0)?.path ?? "", bytes: [], isSecret: true)
                }
                guard let folder = context.currentFolder() else { throw FileProblem(.missing) }
                let bytes = try context.files.readTyped(FilePath.join(folder, path), upTo: Self.largest)
                return SourceFile(name: path, bytes: bytes, isSecret: true)
            }
        }
    }

    /// A function that reads files in the folder of a source, or below it.
    func neighbours(of word: String) throws(Failure) -> @Sendable (String) -> Result<SourceFile, FileProblem> {
        let files = context.files
        let source = try context.pathFromHere(word)
        let folder = files.kind(source) == .directory ? source : FilePath.parent(source)
        let shown = files.kind(source) == .directory ? word : FilePath.parent(word)
        let root = files.resolve(folder) ?? folder
        return { path in
            let whole = FilePath.tidy(FilePath.join(root, path))
            // Links are resolved first, so that no link leads outside the folder.
            guard let target = files.resolve(whole) else { return .failure(FileProblem(.missing)) }
            guard FilePath.isInside(target, root) else { return .failure(FileProblem(.denied)) }
            return Result { () throws(FileProblem) in
                let bytes = try files.read(target, Self.largest)
                let name = FilePath.tidy(FilePath.join(shown, path))
                return SourceFile(name: name, bytes: bytes, isSecret: true)
            }
        }
    }
}

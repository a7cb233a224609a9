import CommandLineKit
import Importing
import ReqcliText

/// Finds the format of a source. Reports a source that has another format than the user named, or that mixes several formats.
struct ImportFormatChoice {
    private let command: ImportCommand
    private let source: ImportSource
    private let files: [SourceFile]

    init(_ command: ImportCommand, _ source: ImportSource) {
        self.command = command
        self.source = source
        // Checks many files, because the first ones of a folder may not belong to any format.
        files = source.files.prefix(1000).filter { !$0.name.lowercased().hasSuffix(".md") }
    }

    func format() throws(Failure) -> any ImportFormat.Type {
        if let clash = clash() { throw clash }
        if let named = command.format {
            if let wrong = files.first(where: { isOtherByName($0, than: named) }), let found = Self.byName(wrong) {
                throw mismatch(wrong, found, named)
            }
            return named
        }
        guard let found = files.lazy.compactMap(Self.format).first else { throw unknown() }
        return found
    }

    /// The failure if the source has another format than the user has named; nil if the formats match, or if the source's format
    /// is unknown.
    func mistake() -> Failure? {
        if let foreign = foreign() { return foreign }
        guard let named = command.format, let file = files.first(where: { Self.format($0) != nil }),
            let found = Self.format(file), found.name != named.name, !named.looksLike(file),
            !(named.isMistakable && found.isMistakable)
        else { return nil }
        return mismatch(file, found, named)
    }

    /// The error for a source without a request.
    func noRequest(_ format: any ImportFormat.Type) -> ImportProblem {
        if let word = command.typedCommand.first {
            return ImportProblem(
                "the words after -- begin with \"\(TerminalText.harmless(word))\", not with curl", at: nil,
                hint: "such as: \(Program.name) import -- curl https://example.com", isUsage: true)
        }
        return ImportProblem(
            "found no request in \(source.files.count == 1 ? source.files[0].name : "the source")", at: nil,
            hint: "\(format.name) reads \(format.summary)", isUsage: true)
    }

    // MARK: Formats of files

    private static func format(_ file: SourceFile) -> (any ImportFormat.Type)? {
        byName(file) ?? ImportFormats.all.first { $0.looksLike(file) }
    }

    /// The format that a file's extension indicates.
    private static func byName(_ file: SourceFile) -> (any ImportFormat.Type)? {
        let name = file.name.lowercased()
        return ImportFormats.all.first { $0.extensions.contains { name.hasSuffix(".\($0)") } }
    }

    /// The files that the user has named one by one, without files found in a named folder.
    private var namedFiles: [SourceFile] { source.files.filter { command.sources.contains($0.name) } }

    private func isOtherByName(_ file: SourceFile, than format: any ImportFormat.Type) -> Bool {
        guard command.sources.contains(file.name), let found = Self.byName(file) else { return false }
        return found.name != format.name
    }

    // MARK: Errors

    /// The error for a source of a kind that no format reads; nil if the first file is of no such kind.
    private func foreign() -> Failure? {
        guard let file = source.files.first, let kind = ForeignSource.kind(of: file) else { return nil }
        let name = ImportDownload.isURL(file.name) || file.name == "stdin" ? "FILE" : ShellQuoting.quoted(file.name)
        return Failure(
            .usage, code: .sourceUnreadable, "\(file.name) \(kind.description)",
            hint: kind.advice.replacing(" FILE", with: " \(name)"))
    }

    private func mismatch(
        _ file: SourceFile, _ found: any ImportFormat.Type, _ named: any ImportFormat.Type
    ) -> Failure {
        let words = ["import", found.name] + command.sources.map(ShellQuoting.quoted)
        return Failure(
            .usage, code: .sourceUnreadable, "\(file.name) is of the format \(found.name), not \(named.name)",
            hint: command.sources.count == 1
                ? "run: \(Program.name) \(words.joined(separator: " "))"
                : "import the files of each format separately")
    }

    /// The error for several files that are of different formats.
    private func clash() -> Failure? {
        let files = namedFiles
        guard files.count > 1, command.format == nil else { return nil }
        let found = files.compactMap { file in Self.format(file).map { (file: file, format: $0) } }
        guard let first = found.first,
            let other = found.first(where: { other in
                other.format.name != first.format.name
                    && !(other.format.isMistakable && first.format.isMistakable
                        && (Self.byName(first.file) == nil || Self.byName(other.file) == nil))
            })
        else { return nil }
        return Failure(
            .usage, code: .sourceUnreadable,
            "\(first.file.name) is of the format \(first.format.name), and \(other.file.name) is of the format "
                + other.format.name, hint: "import the files of each format separately")
    }

    private func unknown() -> Failure {
        if let foreign = foreign() { return foreign }
        // If the JSON has a syntax error, the format can't be recognised, so the error is reported instead.
        if let file = source.files.first, let problem = SourceJSON.problem(in: file) { return Failure(problem) }
        let names = ImportFormats.all.map { $0.name }
        return Failure(
            .usage, code: .sourceUnreadable, "cannot tell the format of \(source.files.first?.name ?? "the source")",
            hint: "name the format: \(names.joined(separator: ", "))")
    }
}

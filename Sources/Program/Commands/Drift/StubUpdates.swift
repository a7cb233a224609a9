import CommandLineKit
import Recording
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliText
import Shapes

/// Updates the files of stubs to match the server's responses. Writes all files or none.
struct StubUpdates {
    private let workspace: Workspace
    private let context: Context

    init(_ workspace: Workspace, _ context: Context) {
        self.workspace = workspace
        self.context = context
    }

    /// Writes the files, and notes in the rows which of their findings remain.
    func apply(to rows: inout [DriftRow]) throws(Failure) {
        let unlock = context.writing.lockFolder(workspace.path("endpoints"))
        defer { unlock() }
        var texts: [StubBody.StubFile: [UInt8]] = [:]
        var order: [StubBody.StubFile] = []
        for index in rows.indices {
            guard case .compared(var comparison) = rows[index].outcome, !comparison.findings.isEmpty else { continue }
            let file = comparison.file
            let before = if let known = texts[file] { known } else { try current(comparison) }
            let steps = try steps(to: comparison)
            let update = ShapeUpdate(to: comparison.answer, values: comparison.values, comparison.rules)
            do throws(JSONPathLimit) {
                let source = SourceFile(name: comparison.stub.place.file.name, bytes: before)
                let after = try update.updated(source, syntax: file.syntax) { $0.value(at: steps) }
                comparison.left = try findings(comparison, after, steps)
                if after != before, texts.updateValue(after, forKey: file) == nil { order.append(file) }
            } catch {
                throw Failure(.broken, code: .selectionFailed, "\"drift\" of \(rows[index].label): \(error.message)")
            }
            rows[index].outcome = .compared(comparison)
        }
        try write(order.compactMap { file in texts[file].map { (file.path, $0) } })
    }

    /// The current bytes of the file. Fails if the file has changed since it was compared.
    private func current(_ comparison: DriftRow.Comparison) throws(Failure) -> [UInt8] {
        let name = comparison.stub.place.file.name
        do throws(FileProblem) {
            let bytes = try context.files.read(comparison.file.path, 1 << 30)
            if bytes == comparison.stub.place.file.bytes { return bytes }
        } catch {
            throw Failure(.outputFailed, code: .outputFailed, "cannot read \(name): \(error.reason)")
        }
        throw Failure(.outputFailed, code: .outputFailed, "\(name) was changed while reqcli called the server")
    }

    /// The path from the root of the file to the body.
    private func steps(to comparison: DriftRow.Comparison) throws(Failure) -> [JSONValue.Step] {
        let root = JSONDocument.read(comparison.stub.place.file, syntax: comparison.file.syntax).root
        let body = root?.descendants.first { $0.range == comparison.stub.range }
        guard let root, let steps = body?.steps(from: root) else {
            throw Failure(.broken, code: .fileUnreadable, "cannot find the stub in \(comparison.stub.place.file.name)")
        }
        return steps
    }

    private func findings(
        _ comparison: DriftRow.Comparison, _ bytes: [UInt8], _ steps: [JSONValue.Step]
    ) throws(JSONPathLimit) -> [ShapeFinding] {
        let document = JSONDocument.read(SourceFile(name: "", bytes: bytes), syntax: comparison.file.syntax)
        guard let body = document.root?.value(at: steps) else { return comparison.findings }
        return try comparison.rules.shape(ofStub: body).findings(against: comparison.answer)
    }

    private func write(_ texts: [(path: String, bytes: [UInt8])]) throws(Failure) {
        let files = texts.map { path, bytes in
            // A link stays a link: the file that it points to is replaced.
            FileSet.File(path: workspace.files.resolve(path) ?? path, bytes: bytes, isThere: true)
        }
        do throws(WritingProblem) {
            try FileSet(files: context.files, writing: context.writing).write(files)
        } catch {
            throw Failure(.outputFailed, code: .outputFailed, "cannot write the stubs: \(error.reason)")
        }
        for text in texts { context.note("updated \(FilePath.shown(text.path, from: workspace.currentFolder))") }
    }
}

extension JSONValue {
    fileprivate func value(at steps: [Step]) -> JSONValue? {
        steps.reduce(self) { value, step in
            switch step {
            case .key(let key): value?[key]
            case .index(let index): value?.elements.dropFirst(index).first { _ in true }
            }
        }
    }
}

import ReqcliBasics

/// The files that are open in an editor, by their absolute paths, with their text as it is there.
package final class OpenDocuments: Sendable {
    private struct State {
        var texts: [String: [UInt8]] = [:]
        var shown: FileSystem?
    }

    private let state = Mutex(State())

    package init() {}

    package subscript(_ path: String) -> [UInt8]? {
        get { state.withLock { $0.texts[path] } }
        set {
            state.withLock {
                $0.texts[path] = newValue
                $0.shown = nil
            }
        }
    }

    fileprivate func files(over base: FileSystem) -> FileSystem {
        state.withLock { state in
            let shown = state.shown ?? base.with(drafts: state.texts)
            state.shown = shown
            return shown
        }
    }
}

extension FileSystem {
    /// A file system in which the open files have the text that the editor shows.
    package func showing(_ documents: OpenDocuments) -> FileSystem {
        let base = self
        var shown = FileSystem(
            read: { path, limit throws(FileProblem) in try documents.files(over: base).read(path, limit) },
            kind: { documents.files(over: base).kind($0) },
            names: { folder throws(FileProblem) in try documents.files(over: base).names(folder) },
            resolve: { documents.files(over: base).resolve($0) }, owner: base.owner)
        shown.access = base.access
        shown.root = base.root
        return shown
    }
}

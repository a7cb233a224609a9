import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// A seed, with which random values are the same on every machine. Each value is a hash of the seed, the call and the place, and
/// not the next one of a stream: a new header or placeholder changes no other value.
package final class RandomSeed: Sendable {
    private struct State {
        var isUsed = false
        var counts: [[UInt8]: Int] = [:]
        /// The names of the placeholders, file by file. The files are kept, so that no other one has the same identity.
        var names: [ObjectIdentifier: (file: SourceFile, names: PlaceholderNames)] = [:]
    }

    private let text: String
    private let state = Mutex(State())

    package init(_ text: String) { self.text = text }

    /// A seed that other runs don't have, which is short enough to be typed.
    package convenience init(from random: [UInt8]) {
        self.init(String(random.prefix(5).reduce(0) { $0 << 8 | Int($1) }))
    }

    /// The seed, if a random value was made with it.
    package var used: String? { state.withLock { $0.isUsed ? text : nil } }

    /// 32 random bytes for a placeholder of a call.
    func bytes(for call: Call, at place: Place) -> [UInt8] {
        let spot = [call.endpoint.id, call.environment.name, call.occasion, call.workspace.lastingName(of: place.file)]
        // A secret could be guessed from the value.
        let arguments = call.arguments.filter { call.endpoint.parameters[named: $0.name]?.isSecret != true }
            .map { "\($0.name)=\($0.source.text)" }
        return hash(spot + [name(of: place)] + arguments.sorted())
    }

    /// 32 random bytes for a placeholder in the response of a stub. They are others each time that the words are the same, so that
    /// equal requests get different values.
    package func bytes(forResponse words: [String]) -> [UInt8] {
        let key = hash(["response"] + words)
        let count = state.withLock { state in
            // Limits the memory of a server that runs for long.
            if state.counts.count >= 10_000 { state.counts = [:] }
            defer { state.counts[key, default: 0] += 1 }
            return state.counts[key] ?? 0
        }
        return SHA256.hash(key + String(count).utf8)
    }

    private func hash(_ words: [String]) -> [UInt8] {
        state.withLock { $0.isUsed = true }
        return SeededBytes.of([text] + words)
    }

    private func name(of place: Place) -> String {
        state.withLock { state in
            let id = ObjectIdentifier(place.file)
            if state.names[id] == nil {
                // A server reads the files again and again.
                if state.names.count >= 1_000 { state.names = [:] }
                state.names[id] = (place.file, PlaceholderNames(of: place.file))
            }
            return state.names[id]?.names[place.range.lowerBound] ?? "\(place.range.lowerBound)"
        }
    }
}

extension Workspace {
    /// The path of a file from the root, wherever the command runs; the name of a file that is elsewhere.
    fileprivate func lastingName(of file: SourceFile) -> String {
        let path = FilePath.tidy(FilePath.join(currentFolder, file.name))
        if FilePath.isInside(path, root) { return FilePath.shown(path, from: root) }
        return path.split(separator: "/").last.map(String.init) ?? ""
    }
}

extension ParameterArgument.Source {
    fileprivate var text: String {
        switch self {
        case .text(let text): text
        case .file(let path): "@\(path)"
        case .value(let value): value.plainText
        }
    }
}

/// Gathers the problems of a run, so that one run reports all of them.
package struct DiagnosticCollector: Sendable {
    package private(set) var diagnostics: [Diagnostic] = []
    private var seen: Set<Identity> = []

    package init() {}

    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
    package var isEmpty: Bool { diagnostics.isEmpty }

    package mutating func add(_ diagnostic: Diagnostic) {
        // The same problem can be found twice, for example in a file that two environments extend. It is reported once.
        let identity = Identity(
            file: diagnostic.fileName, offset: diagnostic.startOffset, code: diagnostic.code,
            message: diagnostic.message)
        if seen.insert(identity).inserted { diagnostics.append(diagnostic) }
    }

    package mutating func add(contentsOf others: [Diagnostic]) {
        for diagnostic in others { add(diagnostic) }
    }

    /// The diagnostics file by file, in the order in which the files were met, and from top to bottom within each file.
    package var sorted: [Diagnostic] {
        var fileOrder: [String: Int] = [:]
        for diagnostic in diagnostics {
            let name = diagnostic.fileName ?? ""
            if fileOrder[name] == nil { fileOrder[name] = fileOrder.count }
        }
        return diagnostics.enumerated().sorted { one, other in
            let left = (fileOrder[one.element.fileName ?? ""] ?? 0, one.element.startOffset, one.offset)
            let right = (fileOrder[other.element.fileName ?? ""] ?? 0, other.element.startOffset, other.offset)
            return left < right
        }.map(\.element)
    }
}

/// The properties by which two diagnostics are recognized as the same problem.
private struct Identity: Hashable {
    let file: String?
    let offset: Int
    let code: Diagnostic.Code
    let message: String
}

extension Diagnostic {
    fileprivate var startOffset: Int { place?.range.lowerBound ?? -1 }
}

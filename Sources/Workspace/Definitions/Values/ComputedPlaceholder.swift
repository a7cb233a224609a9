package import ReqcliFunctions
import ReqcliText

/// A placeholder with functions, and the values that it uses.
package struct ComputedPlaceholder: Sendable, Hashable {
    package let pipeline: Pipeline
    /// The placeholders that the names in it stand for, by their offsets in the text.
    private let placeholders: [Int: Located<Placeholder>]

    init(_ pipeline: Pipeline, _ placeholders: [Int: Located<Placeholder>]) {
        (self.pipeline, self.placeholders) = (pipeline, placeholders)
    }

    package var text: String { pipeline.text }

    package subscript(_ name: Pipeline.Name) -> Located<Placeholder>? { placeholders[name.range.lowerBound] }

    /// The placeholders that the names in it stand for, in the order of the text.
    package var inner: [Located<Placeholder>] { pipeline.names.compactMap { self[$0] } }

    package static func == (one: Self, other: Self) -> Bool { one.text == other.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension ComputedPlaceholder {
    /// Reads the text between the braces; nil if it has no functions.
    ///
    /// - Parameter place: The place of a range of the text. It is called in ascending order.
    static func read(
        _ text: String, place: (Range<Int>) -> Place
    ) throws(PipelineProblem) -> ComputedPlaceholder? {
        let pipeline = try Pipeline.read(text) { name throws(PipelineProblem) in
            try Placeholder.read(name).types
        }
        guard let pipeline else { return nil }
        var placeholders: [Int: Located<Placeholder>] = [:]
        for name in pipeline.names {
            placeholders[name.range.lowerBound] = Located(try Placeholder.read(name), at: place(name.range))
        }
        return ComputedPlaceholder(pipeline, placeholders)
    }
}

extension Placeholder {
    fileprivate static func read(_ name: Pipeline.Name) throws(PipelineProblem) -> Placeholder {
        do throws(Complaint) { return try parse(name.text) } catch {
            throw PipelineProblem(error.message, hint: error.hint, at: name.range)
        }
    }

    /// The types that the value can have.
    fileprivate var types: ValueTypes {
        switch self {
        case .secret, .processVariable, .generated(.uuid), .generated(.isoTimestamp): .text
        case .generated(.timestamp), .generated(.randomInt): .number
        case .name(RequestWord.body): [.text, .bytes]
        case .name(let name) where RequestWord.isOne(name): .text
        case .name, .capture, .computed: .json
        }
    }
}

import Foundation
import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

/// A body whose members are typed on the command line one by one.
package struct TypedBody: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
        case text(String)
        case json(OrderedJSON)
        /// The text of a file; `-` is standard input.
        case textOfFile(String)
        /// A file to upload, with its media type if that isn't to follow from the file's name; `-` is standard input.
        case upload(String, type: String? = nil)
    }

    package struct Member: Sendable, Equatable {
        package let name: String
        package let value: Value

        package init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    package let members: [Member]
    /// Whether the body is a form instead of a JSON object.
    package let isForm: Bool

    package init(members: [Member], isForm: Bool) {
        self.members = members
        self.isForm = isForm
    }

    /// The files that the values are read from; `-` is standard input.
    package var files: [String] {
        members.compactMap { member in
            switch member.value {
            case .textOfFile(let path), .upload(let path, _): path
            case .text, .json: nil
            }
        }
    }

    package var isMultipart: Bool {
        isForm && members.contains { if case .upload = $0.value { true } else { false } }
    }

    /// Whether the body is a GraphQL operation: a JSON object with the text of the operation as its `query`.
    var isGraphQL: Bool {
        let query = distinctMembers.last { $0.name == "query" }
        guard !isForm, case .text(let written)? = query?.value else { return false }
        let text = written.drop { $0.isWhitespace }
        return text.hasPrefix("{")
            || ["query", "mutation", "subscription", "fragment"].contains { word in
                text.hasPrefix(word) && text.contains("{")
            }
    }

    /// The Content-Type that follows from the kind of body.
    var contentType: String {
        if isMultipart { return "multipart/form-data" }
        return isForm ? "application/x-www-form-urlencoded" : "application/json"
    }

    /// The members that are sent. A JSON object gets only the last value of each name, at the position of the first.
    package var distinctMembers: [Member] {
        if isForm { return members }
        var result: [Member] = []
        for member in members {
            // Each of several words `tags[]=…` adds an item.
            let isAddition = MemberPlace(member.name)?.isAddition ?? false
            // Compares bytes, because two Unicode spellings of "é" are two different names.
            if !isAddition, let index = result.firstIndex(where: { $0.name.utf8.elementsEqual(member.name.utf8) }) {
                result[index] = member
            } else {
                result.append(member)
            }
        }
        return result
    }

    /// The JSON of these values, which belong to names of members. Nil if a name is `misplaced`.
    package static func json(_ values: [(name: String, value: OrderedJSON)]) -> OrderedJSON? {
        var json: OrderedJSON?
        for (name, value) in values {
            guard let next = MemberPlace(name)?.placing(value, in: json) else { return nil }
            json = next
        }
        return json ?? .object([])
    }

    /// The first name that contradicts the names before it, or whose brackets don't fit; nil if there is none. The names of a form
    /// are taken literally.
    package var misplaced: String? {
        if isForm { return nil }
        var json: OrderedJSON?
        for member in distinctMembers {
            let value: OrderedJSON = if case .json(let value) = member.value { value } else { "" }
            guard let place = MemberPlace(member.name), let next = place.placing(value, in: json) else {
                return member.name
            }
            json = next
        }
        return nil
    }

    /// The names of the members, for the list of operators that `explain` shows.
    var written: String { members.map(\.name).joined(separator: ", ") }

    private static func claimInput(for name: String, _ reader: inout String?) throws(Failure) {
        if let reader { throw Failure(secondReader: name, besides: reader) }
        reader = name
    }

    /// Standard input as a part with a file name, which is `-` as in curl. A large input stays in a file.
    private static func inputPart(
        _ name: String, _ type: String?, _ world: World
    ) throws(Failure) -> MultipartBody.Part {
        do throws(FileProblem) {
            let content: RequestBody.Piece =
                if let input = try world.spooledInput(Workspace.largestFile) {
                    .file(path: input.path)
                } else { .data(Data(try world.standardInput())) }
            return MultipartBody.Part(
                name: name, filename: "-", contentType: type ?? "application/octet-stream", content: content)
        } catch {
            throw Failure(parameter: "\(own: name): cannot read standard input: \(own: error.reason)")
        }
    }

    /// Reads the files, and sets the body.
    func resolve(_ builder: RequestBuilder, _ evaluation: inout Evaluation) -> Evaluated<RequestBuilder> {
        var resolved: [(name: String, value: OrderedJSON)] = []
        var parts: [MultipartBody.Part] = []
        /// The member that reads standard input. Only one member can read it.
        var reader: String?
        var isWhole = true
        for member in distinctMembers {
            switch member.value {
            case .text(let text): resolved.append((member.name, .string(text)))
            case .json(let value): resolved.append((member.name, value))
            case .textOfFile(let path):
                do throws(Failure) {
                    if path == "-" { try Self.claimInput(for: member.name, &reader) }
                    let text = try evaluation.world.text(ofFile: path, for: member.name)
                    resolved.append((member.name, .string(text)))
                } catch {
                    evaluation.reportUsage(error)
                    isWhole = false
                    continue
                }
            case .upload("-", let type):
                do throws(Failure) {
                    try Self.claimInput(for: member.name, &reader)
                    parts.append(try Self.inputPart(member.name, type, evaluation.world))
                } catch {
                    evaluation.reportUsage(error)
                    isWhole = false
                }
                continue
            case .upload(let path, let type):
                switch evaluation.world.files.kind(path) {
                case .file:
                    parts.append(.file(member.name, path: path, contentType: type))
                case let kind:
                    evaluation.reportUsage(
                        kind == nil
                            ? "there is no file \(path.quoted) to send"
                            : "\(path.quoted) is not a regular file, which an upload needs", flag: member.name)
                    isWhole = false
                }
                continue
            }
            guard let last = resolved.last else { continue }
            parts.append(.text(last.name, ValueText.text(of: last.value)))
        }
        guard isWhole else { return .failed }
        if isMultipart {
            return .value(builder.multipartBody(MultipartBody(parts: parts)))
        }
        if isForm {
            let fields = resolved.map { (name: $0.name, value: ValueText.text(of: $0.value)) }
            return .value(builder.formBody(fields))
        }
        // `misplaced` is checked when the words are read.
        let json = Self.json(resolved) ?? .object([])
        return .value(builder.body(Data(json.compact.utf8), contentType: "application/json"))
    }
}

import Definitions
import Foundation
import RequestBuilding
package import SourceText

/// A body whose members are typed on the command line one by one.
package struct TypedBody: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
        case text(String)
        case json(OrderedJSON)
        /// The text of a file; `-` is standard input.
        case textOfFile(String)
        /// A file to upload.
        case upload(String)
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
    /// A form instead of a JSON object.
    package let isForm: Bool

    package init(members: [Member], isForm: Bool) {
        self.members = members
        self.isForm = isForm
    }

    private var isMultipart: Bool {
        isForm && members.contains { if case .upload = $0.value { true } else { false } }
    }

    /// The Content-Type that follows from the kind of body.
    var contentType: String {
        if isMultipart { return "multipart/form-data" }
        return isForm ? "application/x-www-form-urlencoded" : "application/json"
    }

    /// The names of the members, for a list of operators.
    var written: String { members.map(\.name).joined(separator: ", ") }

    /// The operator that sets the body, once the files are read.
    func resolve(_ evaluation: inout Evaluation) -> Evaluated<Contribution.Change> {
        var resolved: [(name: String, value: OrderedJSON)] = []
        var parts: [MultipartBody.Part] = []
        var isWhole = true
        for member in members {
            switch member.value {
            case .text(let text): resolved.append((member.name, .string(text)))
            case .json(let value): resolved.append((member.name, value))
            case .textOfFile(let path):
                guard let text = Self.text(ofFile: path, for: member.name, &evaluation) else {
                    isWhole = false
                    continue
                }
                resolved.append((member.name, .string(text)))
            case .upload(let path):
                if evaluation.world.files.kind(path) == .file {
                    parts.append(.file(member.name, path: path))
                } else {
                    evaluation.reportUsage("there is no file \(path.quoted) to send", flag: member.name)
                    isWhole = false
                }
                continue
            }
            guard let last = resolved.last else { continue }
            parts.append(.text(last.name, ValueText.text(of: last.value)))
        }
        guard isWhole else { return .failed }
        if isMultipart {
            let multipart = MultipartBody(parts: parts)
            return .value { $0.multipartBody(multipart) }
        }
        if isForm {
            let fields = resolved.map { (name: $0.name, value: ValueText.text(of: $0.value)) }
            return .value { $0.formBody(fields) }
        }
        let json = Self.object(resolved).compact
        return .value { $0.body(Data(json.utf8), contentType: "application/json") }
    }

    /// An object with the last value of each name, at the place of the first.
    private static func object(_ members: [(name: String, value: OrderedJSON)]) -> OrderedJSON {
        var result: [OrderedJSON.Member] = []
        for member in members {
            let new = OrderedJSON.Member(member.name, member.value)
            // Bytes, not characters: two spellings of "é" are two names.
            if let index = result.firstIndex(where: { $0.name.utf8.elementsEqual(member.name.utf8) }) {
                result[index] = new
            } else {
                result.append(new)
            }
        }
        return .object(result)
    }

    private static func text(ofFile path: String, for name: String, _ evaluation: inout Evaluation) -> String? {
        do throws(FileProblem) {
            let bytes =
                try path == "-"
                ? evaluation.world.standardInput() : evaluation.world.files.read(path, Workspace.largestFile)
            if let text = String(validating: bytes, as: UTF8.self) { return text }
            evaluation.reportUsage("\(path.quoted) is not UTF-8 text", flag: name)
        } catch {
            evaluation.reportUsage("cannot read \(path.quoted): \(error.reason)", flag: name)
        }
        return nil
    }
}

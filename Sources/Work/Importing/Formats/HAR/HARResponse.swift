import ReqcliBasics
import ReqcliDefinitions
import ReqcliFunctions
import ReqcliText
import RequestBuilding

/// The recorded response of a request.
struct HARResponse {
    /// The stub variant; nil if there was no response, or if the body of the response wasn't recorded.
    let variant: ImportedVariant?

    init(_ response: JSONValue, method: String, _ notes: inout [ConversionNote]) {
        guard let status = response["status"]?.number?.int, (100...599).contains(status) else {
            variant = nil
            return
        }
        var variant = ImportedVariant("\(status)", status: status)
        let content = response["content"]
        let type = content?["mimeType"]?.string ?? ""
        // A size of -1 means that the size is unknown.
        let hasContent = content?["size"]?.number.map { $0 != JSONNumber(0) } ?? false
        let hasNone = method == "HEAD" || status == 204 || status == 304 || !hasContent
        if let text = content?["text"]?.string, !text.isEmpty || hasNone {
            variant.body = Self.body(text, content, MediaType(type))
        } else if !hasNone {
            notes.append(
                ConversionNote(
                    .lost, "a response does not become a stub variant, because its body is not recorded",
                    at: response.place))
            self.variant = nil
            return
        }
        variant.headers = ImportedVariant.headers(
            response.list("headers").map { ($0["name"]?.string ?? "", $0["value"]?.scalarText ?? "") }, variant.body)
        self.variant = variant
    }

    private static func body(_ text: String, _ content: JSONValue?, _ type: MediaType) -> ImportedVariant.Body? {
        if text.isEmpty { return nil }
        guard content?["encoding"]?.string == "base64" else { return .recorded(text, type) }
        guard let bytes = Base64.decode(text) else { return .text(text) }
        return String(validating: bytes, as: UTF8.self).map { .recorded($0, type) } ?? .bytes(bytes)
    }
}

extension ImportedVariant.Body {
    /// A recorded body. A body that is valid JSON becomes JSON, any other body becomes text.
    static func recorded(_ text: String, _ type: MediaType?) -> ImportedVariant.Body {
        if type?.isJSON ?? true {
            let document = JSONDocument.read(
                SourceFile(name: "response", text: text), limits: JSONReader.Limits(depth: 500, problems: 1))
            if let root = document.validRoot, !root.hasRepeatedKeys {
                return .json(OrderedJSON(root))
            }
        }
        return .text(text)
    }
}

extension ImportedVariant {
    /// The headers of a response that a stub keeps. Headers of the connection are left out. A Content-Type is also left out if
    /// the kind of body implies this type.
    static func headers(_ all: [(name: String, value: String)], _ body: Body?) -> [OrderedJSON.Member] {
        let fields = HeaderFields(all.map { HeaderFields.Field($0.name, $0.value) }).lasting.filter { field in
            guard field.name.isToken, !field.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) else {
                return false
            }
            if field.name.lowercased() == "content-type", case .json? = body {
                return MediaType(field.value).name != "application/json"
            }
            return true
        }
        return .grouped(fields.map { ($0.name, .literal($0.value)) }, ignoringCase: true)
    }
}

extension JSONValue {
    /// Whether an object in the value has a key twice. A file of the workspace can't contain such an object.
    var hasRepeatedKeys: Bool { descendants.contains { $0.kind == .object && $0.repeatsKey } }

    private var repeatsKey: Bool {
        var names: Set<String> = []
        return members.contains { !names.insert($0.name).inserted }
    }
}

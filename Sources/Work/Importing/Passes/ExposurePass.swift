import ReqcliDefinitions
import ReqcliText

/// Notes what the requests of a source read from the user's machine, and which settings let others read the requests.
struct ExposurePass {
    func apply(to requests: [ImportedRequest], _ notes: inout [ConversionNote]) {
        for request in requests {
            func note(_ kind: ConversionNote.Kind, _ message: String, _ detail: String) {
                notes.append(ConversionNote(kind, message, detail, at: request.place))
            }
            for placeholder in request.placeholders where placeholder.hasPrefix("$env.") {
                note(.remark, "a request sends the value of an environment variable", String(placeholder.dropFirst(5)))
            }
            for file in request.sentFiles where Self.isPrivate(file) {
                note(
                    .toDo, "a request sends a file that may contain secrets: check it before you send the request", file
                )
            }
            for setting in request.settings {
                switch (setting.name, setting.value) {
                case ("tls.insecure", true):
                    note(.remark, "a request doesn't check the certificate of the server", request.path)
                case ("proxy.url", .string(let url)):
                    note(.remark, "a request goes through a proxy, which can read it if it is not encrypted", url)
                default: break
                }
            }
        }
    }

    /// Whether a file is hidden, or is a key by its name.
    private static func isPrivate(_ path: String) -> Bool {
        let parts = path.split { $0 == "/" || $0 == "\\" }
        let isHidden = parts.contains { $0.hasPrefix(".") && !$0.allSatisfy { $0 == "." } }
        let name = parts.last?.lowercased() ?? ""
        return isHidden || name.hasPrefix("id_") || [".pem", ".key", ".p12", ".pfx"].contains(where: name.hasSuffix)
    }
}

extension ImportedRequest {
    /// The paths of the files that the body and the defaults of params name.
    fileprivate var sentFiles: [String] {
        var found = params.filter { $0.kind == .file }.compactMap(\.defaultValue).flatMap(\.texts)
        visitTexts { role, text in if role == .file { found.append(text) } }
        return found
    }
}

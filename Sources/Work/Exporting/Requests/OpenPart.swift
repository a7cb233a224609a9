import ReqcliDefinitions
import ReqcliMocking
import RequestBuilding

/// A part of a multipart body, in which some values are left open.
struct OpenPart {
    let name: String
    /// The text; nil for a file.
    let text: String?
    /// The path of the file; nil for a text.
    let file: String?
    let fileName: String?
    let contentType: String?
}

extension OpenRequest {
    /// The parts of a multipart body; nil for any other body.
    var parts: [OpenPart]? {
        guard case .multipart? = endpoint.body(in: environment.name)?.content else { return nil }
        switch request.body {
        case .multipart(let multipart)?:
            return multipart.parts.map { part in
                let (text, file): (String?, String?) =
                    switch part.content {
                    case .data(let data): (String(decoding: data, as: UTF8.self), nil)
                    case .file(let path): (nil, path)
                    }
                return OpenPart(
                    name: part.name, text: text, file: file, fileName: part.filename, contentType: part.contentType)
            }
        // A body without files is in memory, exactly as it is sent.
        case .data(let data)?:
            return MultipartText(Array(data))?.parts.map { part in
                OpenPart(
                    name: MultipartBody.Part.unescaped(part.field.name), text: part.field.value, file: nil,
                    fileName: part.fileName.map(MultipartBody.Part.unescaped), contentType: part.contentType)
            }
        default: return nil
        }
    }
}

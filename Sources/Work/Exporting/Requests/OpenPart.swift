import ReqcliDefinitions
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
        case .data?: return bodyText.flatMap { OpenPart.parts(of: $0) }
        default: return nil
        }
    }
}

extension OpenPart {
    /// The parts of a body as it is sent.
    fileprivate static func parts(of text: String) -> [OpenPart]? {
        let lineEnd = "\r\n"
        guard let first = text.firstRange(of: lineEnd), text.hasPrefix("--") else { return nil }
        let mark = lineEnd + text[..<first.lowerBound]
        guard let end = text.ranges(of: mark + "--").last else { return nil }
        return (lineEnd + text[..<end.lowerBound]).split(separator: mark + lineEnd).compactMap { part in
            guard let gap = part.firstRange(of: lineEnd + lineEnd) else { return nil }
            var fields: [String: String] = [:]
            for line in part[..<gap.lowerBound].split(separator: lineEnd) {
                guard let colon = line.firstRange(of: ": ") else { continue }
                fields[line[..<colon.lowerBound].lowercased()] = String(line[colon.upperBound...])
            }
            let disposition = fields["content-disposition"] ?? ""
            return OpenPart(
                name: parameter("; name=\"", of: disposition) ?? "", text: String(part[gap.upperBound...]), file: nil,
                fileName: parameter("; filename=\"", of: disposition), contentType: fields["content-type"])
        }
    }

    private static func parameter(_ mark: String, of header: String) -> String? {
        guard let range = header.firstRange(of: mark) else { return nil }
        let text = String(header[range.upperBound...].prefix { $0 != "\"" })
        return text.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }
}

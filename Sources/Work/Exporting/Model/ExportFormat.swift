package import ReqcliText

/// A format that `reqcli export` writes.
///
/// A format is one file or folder below `Formats/` and one line in `ExportFormats.all`, from which help and completions come.
package protocol ExportFormat: Sendable {
    /// The word of the command line: `openapi`.
    static var name: String { get }
    /// A phrase for help: "an OpenAPI 3.1 description".
    static var summary: String { get }
    /// Writes files. What they can't say is added to the notes.
    static func write(_ source: ExportSource, _ notes: inout [ExportNote]) -> [ExportedFile]
}

package enum ExportFormats {
    /// Every format, in the order of help.
    package static let all: [any ExportFormat.Type] = [
        OpenAPIExport.self, PostmanExport.self, HurlExport.self, HTTPFileExport.self, LocustExport.self,
        K6Export.self,
    ]
}

/// A file of an export. The first one of an export is its main file, which goes to stdout.
package struct ExportedFile: Sendable, Equatable {
    package let path: String
    package let text: String

    package init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
    }
}

/// One thing of the workspace that became something else, or nothing.
package struct ExportNote: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// No exported file has it.
        case lost
        /// The files say nearly the same.
        case approximated
        /// The user has to add something.
        case toDo = "to do"
    }

    package let kind: Kind
    /// A sentence without the particulars, by which notes are counted.
    package let message: String
    /// The particulars, such as the id of the endpoint.
    package let detail: String?
    package let place: Place?

    package init(_ kind: Kind, _ message: String, _ detail: String? = nil, at place: Place?) {
        self.kind = kind
        self.message = message
        self.detail = detail
        self.place = place
    }

    /// The message with its particulars.
    package var text: String { detail.map { "\(message) (\($0))" } ?? message }
}

import CommandLineKit
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Where the documentation is, and where to report mistakes: in the pages that are installed with the program, else in the
/// repository.
struct Documentation {
    /// The folder of the installed pages; nil if none are installed.
    private let folder: String?
    /// The address of the issue tracker; nil if the packager named none.
    private let tracker: String?

    static let ofRepository = Documentation(folder: nil, tracker: nil)

    private init(folder: String?, tracker: String?) {
        (self.folder, self.tracker) = (folder, tracker)
    }

    /// Looks below the prefix in which the program is installed, and next to the program, where an archive has the pages.
    init(installedFor context: Context) {
        let home = context.programPath().map { FilePath.parent($0) }
        let folders = ["../share/doc/reqcli/html", "share/doc/reqcli/html"].compactMap { path in
            home.map { FilePath.tidy(FilePath.join($0, path)) }
        }
        let folder = folders.first { context.files.kind(FilePath.join($0, "index.html")) == .file }
        let bytes = folder.flatMap { try? context.files.read(FilePath.join($0, "issues"), 1 << 10) } ?? []
        let tracker = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).first
        self.init(folder: folder, tracker: tracker.map { harmlessLine(String($0)) })
    }

    /// The place of an installed page as a URL; nil if no pages are installed.
    private func url(_ page: String) -> String? {
        folder.map { "file://\(PercentEncoding.path(FilePath.join($0, page)))" }
    }

    var support: String {
        "Report mistakes \(tracker.map { "at \($0)" } ?? "in the issue tracker of the repository, as CONTRIBUTING.md says")."
    }

    var text: String {
        "Documentation: \(url("index.html") ?? "README.md and docs/README.md in the repository"). \(support)"
    }

    /// The program's definition with the places of the installed pages.
    func placed(in spec: ProgramSpec) -> ProgramSpec {
        guard folder != nil else { return spec }
        var spec = spec
        spec.furtherReading = text
        let repository = spec.placeOfPage
        spec.placeOfPage = { page in
            url("docs/\(page.hasSuffix(".md") ? String(page.dropLast(3)) : page).html") ?? repository(page)
        }
        return spec
    }
}

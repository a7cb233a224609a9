import ReqcliBasics
package import ReqcliText

extension Workspace {
    /// A file of definitions and its place in the workspace.
    package struct Entry: Sendable, Hashable {
        /// The path below `endpoints/`, `environments/`, `scenarios/` or `loads/`, with dots.
        package let id: String
        /// The path relative to the workspace's root.
        package let path: String

        package var syntax: JSONSyntax { path.hasSuffix(".jsonc") ? .commented : .strict }
    }

    fileprivate static let suffixes = [".json", ".jsonc"]

    /// All endpoint files, sorted by path, and problems with names and folders.
    package func endpointEntries() -> Diagnosed<[Entry]> { endpointListing().entries }

    package func environmentEntries() -> Diagnosed<[Entry]> { environmentListing().entries }

    /// All files of scenarios, sorted by path, and problems with names and folders.
    package func scenarioEntries() -> Diagnosed<[Entry]> { scenarioListing().entries }

    /// All files of loads, sorted by path, and problems with names and folders.
    package func loadEntries() -> Diagnosed<[Entry]> { loadListing().entries }

    func scenarioListing() -> Listing { listing(ofOptional: Self.scenarioFolder) }

    func loadListing() -> Listing { listing(ofOptional: Self.loadFolder) }

    func endpointListing() -> Listing { listing(of: "endpoints", isRecursive: true) }

    func environmentListing() -> Listing { listing(ofOptional: "environments", isRecursive: false) }

    private func listing(ofOptional folder: String, isRecursive: Bool = true) -> Listing {
        isThere(folder)
            ? listing(of: folder, isRecursive: isRecursive) : Listing(workspace: self, isRecursive: isRecursive)
    }

    private func listing(of folder: String, isRecursive: Bool) -> Listing {
        var listing = Listing(workspace: self, isRecursive: isRecursive)
        listing.visit(folder, id: [], within: [files.resolve(root) ?? root])
        return listing
    }

    /// The existing files that may define an id, found without reading files. For the id `a.b.c`, these are `a/b/c.json`, and
    /// `a/b.json` with an endpoint `c`.
    package func entries(thatMayDefine id: String) -> Diagnosed<[Entry]> {
        guard Name.isValidID(id) else { return Diagnosed([]) }
        let parts = id.split(separator: ".").map(String.init)
        let stems = parts.count > 1 ? [parts, Array(parts.dropLast())] : [parts]
        return existing(
            among: stems.flatMap { stem in
                Self.suffixes.map {
                    Entry(id: stem.joined(separator: "."), path: "endpoints/\(stem.joined(separator: "/"))\($0)")
                }
            })
    }

    package func environmentEntries(named name: String) -> Diagnosed<[Entry]> {
        guard Name.isValid(name) else { return Diagnosed([]) }
        return existing(among: Self.suffixes.map { Entry(id: name, path: "environments/\(name)\($0)") })
    }

    /// The entries whose files exist, and a problem for a folder that can't be read.
    private func existing(among entries: [Entry]) -> Diagnosed<[Entry]> {
        var there: [Entry] = []
        var closed: [String] = []
        for entry in entries {
            let problem = problem(findingOut: entry.path)
            if problem?.kind == .missing { continue }
            if problem?.kind == .denied, let folder = closedFolder(around: entry.path) {
                closed.append(folder)
            } else {
                there.append(entry)
            }
        }
        // The unreadable folders are all on one path, so only the first is reported.
        return Diagnosed(there, closed.prefix(1).map { unreadable($0, FileProblem(.denied), as: "folder") })
    }

    /// The outermost folder above a path that the user may not enter; nil if all folders can be entered. For a path in such a
    /// folder, the error "permission denied" is about the folder and not about the file.
    private func closedFolder(around inside: String) -> String? {
        let parts = inside.split(separator: "/").dropLast()
        return parts.indices.lazy.map { parts[...$0].joined(separator: "/") }.first { folder in
            files.kind(path(folder)) == .directory && files.kind(path("\(folder)/.")) == nil
        }
    }

    /// Whether there is something at a path. True for a broken link, so that the link is reported and not ignored.
    func isThere(_ inside: String) -> Bool { problem(findingOut: inside)?.kind != .missing }

    /// The reason why the kind of a path can't be found out; nil if the kind is known.
    private func problem(findingOut inside: String) -> FileProblem? {
        if files.kind(path(inside)) != nil { return nil }
        do throws(FileProblem) {
            _ = try files.read(path(inside), 0)
            return nil
        } catch {
            return error
        }
    }
}

/// Collects the files below a folder.
struct Listing {
    private let workspace: Workspace
    private let isRecursive: Bool
    private var found: [Workspace.Entry] = []
    private var problems: [Diagnostic] = []
    /// The real paths of the folders that were found.
    private var visited: Set<String> = []
    /// The number of times that a folder was found again.
    private var repetitions = 0
    /// Warnings about files that look like definitions but are not read.
    private(set) var passedOver: [Diagnostic] = []

    var entries: Diagnosed<[Workspace.Entry]> { Diagnosed(found, problems) }

    fileprivate init(workspace: Workspace, isRecursive: Bool) {
        self.workspace = workspace
        self.isRecursive = isRecursive
    }

    fileprivate mutating func visit(_ folder: String, id: [String], within outer: [String]) {
        // Following a link to a parent folder would never end, even if that folder is above the workspace.
        let resolved = workspace.files.resolve(workspace.path(folder)) ?? folder
        guard !outer.contains(where: { FilePath.isInside($0, resolved) }) else {
            problems.append(
                Diagnostic(
                    code: .fileUnreadable, "the folder is a link to one of its parent folders", at: nil,
                    fileName: workspace.shown(folder), hint: "remove the link"))
            return
        }
        // If a few folders have links to each other, they are found so often that the listing would practically never end.
        if !visited.insert(resolved).inserted { repetitions += 1 }
        guard repetitions <= Limits.repeatedFolders else {
            if repetitions == Limits.repeatedFolders + 1 {
                problems.append(
                    Diagnostic(
                        code: .fileUnreadable,
                        "links lead to the same folders more than \(Limits.repeatedFolders) times", at: nil,
                        fileName: workspace.shown(folder), hint: "remove links to folders"))
            }
            return
        }
        let names: [String]
        do throws(FileProblem) {
            names = try workspace.files.names(workspace.path(folder))
        } catch {
            problems.append(workspace.unreadable(folder, error, as: "folder"))
            return
        }
        guard id.count <= Limits.folders else {
            problems.append(
                Diagnostic(
                    code: .folderDepth, "folders nest more than \(Limits.folders) deep", at: nil,
                    fileName: workspace.shown(folder), hint: "move the files to a folder higher up"))
            return
        }
        for name in names where !name.hasPrefix(".") {
            let inside = "\(folder)/\(name)"
            if let stem = Self.stem(name) {
                add(inside, id: id + [stem])
            } else if isRecursive, workspace.files.kind(workspace.path(inside)) == .directory {
                visit(inside, id: id + [name], within: outer + [resolved])
            } else if Self.looksLikeDefinitions(name) {
                passedOver.append(
                    Diagnostic(
                        .warning, code: .fileIgnored, "the file is ignored because of its name", at: nil,
                        fileName: workspace.shown(inside),
                        hint: "definition files end with \(Workspace.suffixes.joined(separator: " or "))"))
            }
        }
    }

    private mutating func add(_ inside: String, id: [String]) {
        if let bad = id.first(where: { !Name.isValid($0) }) {
            problems.append(
                Diagnostic(
                    code: .nameInvalid, "\"\(bad)\" can't be a part of an id", at: nil,
                    fileName: workspace.shown(inside), hint: "rename it: \(Name.advice)"))
        } else {
            found.append(Workspace.Entry(id: id.joined(separator: "."), path: inside))
        }
    }

    /// Whether a file looks like a file of definitions, but its ending is in upper case or belongs to another format.
    private static func looksLikeDefinitions(_ name: String) -> Bool {
        let parts = name.split(separator: ".")
        guard parts.count > 1, let ending = parts.last else { return false }
        return ["json", "jsonc", "json5", "yaml", "yml", "toml"].contains(ending.lowercased())
    }

    private static func stem(_ name: String) -> String? {
        Workspace.suffixes.first { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) }
    }
}

extension Diagnostic.Code {
    package static let fileIgnored: Self = "file.ignored"
    package static let folderDepth: Self = "folder.depth"
}

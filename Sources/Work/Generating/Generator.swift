import Exchange
import ReqcliBasics
import ReqcliDefinitions
import ReqcliMocking
package import ReqcliText

/// Makes two modules of Swift from a workspace: the requests, and the stub variants for tests and previews.
package struct Generator {
    private let source: GenerationSource
    private let listVariables: Set<String>
    private var notes: [ConversionNote] = []

    package init(_ source: GenerationSource) {
        self.source = source
        listVariables = Set(source.environments.flatMap { $0.variables.filter(\.mayBeList).map(\.name) })
    }

    package static func generate(_ source: GenerationSource) throws(Failure) -> GeneratedCode {
        var generator = Generator(source)
        return try generator.code()
    }

    private mutating func code() throws(Failure) -> GeneratedCode {
        let types = try EndpointTypes(source.endpoints)
        for group in types.groups {
            try source.checkModule(against: group.name, group.endpoints[0].id, at: group.endpoints[0].definition.place)
        }
        var environments: [EnvironmentWriter] = []
        for environment in source.environments {
            environments.append(EnvironmentWriter(environment, of: source, listVariables: listVariables))
        }
        var states: [String: LayerCode.State] = [:]
        for environment in environments {
            states[environment.environment.name] = environment.state
            notes += environment.notes
        }
        var usedValues: Set<String> = []
        var files: [GeneratedFile] = []
        var models = ModelWriter(
            source.workspace,
            taken: Set(types.groups.flatMap(\.typeNames) + [source.environmentType, source.variantsType]))
        var callTypes: [String: CallTypes] = [:]
        if source.hasModels {
            // Bodies come first, because they decide which members their types need.
            for group in types.groups {
                for endpoint in group.endpoints {
                    callTypes[endpoint.id] = models.body(
                        of: endpoint, named: group.path(of: endpoint), level: group.isSingle ? 1 : 2)
                }
            }
            for group in types.groups {
                for endpoint in group.endpoints {
                    models.addTypes(
                        of: endpoint, named: group.path(of: endpoint), level: group.isSingle ? 1 : 2,
                        to: &callTypes[endpoint.id, default: CallTypes()])
                }
            }
        }
        var variants: [(type: EndpointTypes.Group, writers: [VariantWriter])] = []
        for group in types.groups {
            var calls: [CallWriter] = []
            var writers: [VariantWriter] = []
            var importsFoundation = false
            var importsFunctions = false
            for endpoint in group.endpoints {
                var maker = CallMaker(endpoint, callTypes[endpoint.id] ?? CallTypes(), states, source, listVariables)
                calls.append(
                    try maker.call(
                        named: group.name(of: endpoint), path: group.path(of: endpoint), level: group.isSingle ? 1 : 2,
                        &models.enums))
                notes += maker.notes
                usedValues.formUnion(maker.usedValues)
                importsFoundation = importsFoundation || maker.importsFoundation
                importsFunctions = importsFunctions || maker.importsFunctions
                let writer = try VariantWriter(
                    endpoint, call: group.path(of: endpoint), maker: maker, of: source.workspace
                )
                if let writer {
                    writers.append(writer)
                    notes += writer.notes
                }
            }
            files.append(
                file(of: group, calls, importsFoundation: importsFoundation, importsFunctions: importsFunctions))
            if !writers.isEmpty {
                files.append(file(of: group, writers))
                variants.append((group, writers))
            }
        }
        for name in models.types.keys { try source.checkModule(against: name, name, at: nil) }
        files.append(try file(of: environments, usedValues))
        files.append(contentsOf: lists(of: variants))
        notes += models.notes
        if let file = models.file(of: source.module, start: start(models.sourceNames, models.sources)) {
            files.append(file)
        }
        return GeneratedCode(files: files.sorted { $0.path < $1.path }, notes: notes)
    }

    // MARK: Files

    private func start(_ names: [String], _ sources: [SourceFile]) -> CodeLines {
        var lines = CodeLines()
        let hash = SHA256.hash(sources.flatMap(\.bytes)).hex.prefix(16)
        lines.add(
            "\(GeneratedFile.mark)\(names.map(SwiftText.oneLine).joined(separator: ", ")) (sha256 \(hash)). Do not edit."
        )
        lines.add("// swift-format-ignore-file")
        lines.add()
        return lines
    }

    private func name(of file: SourceFile) -> String {
        let path = FilePath.tidy(FilePath.join(source.workspace.currentFolder, file.name))
        return FilePath.shown(path, from: source.workspace.root)
    }

    /// The import of the library that only code with functions needs.
    private static let functionsImport = "@_spi(Generated) import ReqcliFunctions"

    /// Adds an import for Linux, where the types for cache policies are in a separate module.
    private static func importNetworking(to lines: inout CodeLines) {
        lines.add("#if canImport(FoundationNetworking)")
        lines.add("import FoundationNetworking")
        lines.add("#endif")
        lines.add()
    }

    private func file(
        of group: EndpointTypes.Group, _ calls: [CallWriter], importsFoundation: Bool, importsFunctions: Bool
    ) -> GeneratedFile {
        var lines = start([name(of: group.file)], [group.file])
        lines.add("public import Exchange")
        let importsNetworking = calls.contains(where: \.importsNetworking)
        let hasDates = calls.contains(where: \.hasDates)
        if hasDates || importsFoundation || importsNetworking {
            lines.add("\(hasDates ? "public " : "")import Foundation")
        }
        if importsFunctions { lines.add(Self.functionsImport) }
        lines.add("@_spi(Generated) public import RequestBuilding")
        lines.add()
        if importsNetworking { Self.importNetworking(to: &lines) }
        if group.isSingle {
            for call in calls { call.write(to: &lines) }
        } else {
            let root = JSONDocument.read(group.file).root
            lines.document([
                root?["description"]?.string.flatMap { SwiftText.oneLine($0).isEmpty ? nil : $0 }
                    ?? "The endpoints of \(name(of: group.file))."
            ])
            lines.block("public enum \(group.name)") { lines in
                for (index, call) in calls.enumerated() {
                    if index > 0 { lines.add() }
                    call.write(to: &lines)
                }
            }
        }
        return GeneratedFile(path: "\(source.module)/\(group.name).swift", text: lines.text)
    }

    private func file(of group: EndpointTypes.Group, _ writers: [VariantWriter]) -> GeneratedFile {
        var body = CodeLines()
        for (index, writer) in writers.enumerated() {
            if index > 0 { body.add() }
            writer.write(to: &body)
        }
        var lines = start([name(of: group.file)], [group.file])
        let needsFoundation = body.lines.contains { $0.contains("Data(") }
        lines.add("public import Exchange")
        if needsFoundation { lines.add("import Foundation") }
        if body.lines.contains(where: { $0.contains(": PreparedRequest") }) {
            lines.add("@_spi(Generated) public import RequestBuilding")
        } else if body.lines.contains(where: { $0.contains("headers: [") }) {
            lines.add("import RequestBuilding")
        }
        lines.add("public import \(source.module)")
        lines.add()
        lines.append(body)
        return GeneratedFile(path: "\(source.stubModule)/\(group.name)+Variants.swift", text: lines.text)
    }

    private func file(of environments: [EnvironmentWriter], _ usedValues: Set<String>) throws(Failure) -> GeneratedFile
    {
        var sources: [SourceFile] = []
        for file in environments.flatMap({ $0.environment.layers.map(\.place.file) })
        where !sources.contains(where: { $0.name == file.name }) {
            sources.append(file)
        }
        var lines = start(["environments/"], sources)
        let importsNetworking = environments.contains(where: \.importsNetworking)
        if importsNetworking { lines.add("import Foundation") }
        if environments.contains(where: \.importsFunctions) { lines.add(Self.functionsImport) }
        lines.add("@_spi(Generated) public import RequestBuilding")
        lines.add()
        if importsNetworking { Self.importNetworking(to: &lines) }
        var clashes = NameClashes(what: "environment")
        for environment in environments {
            clashes.add(environment.name, environment.environment.name, at: environment.environment.layers.last?.place)
        }
        try clashes.check()
        lines.document(["The environments of the workspace. A client makes its requests from one of them."])
        lines.block("public enum \(source.environmentType)") { lines in
            for (index, environment) in environments.enumerated() {
                if index > 0 { lines.add() }
                environment.write(environment.closures(usedValues), to: &lines)
            }
        }
        for environment in environments {
            var clashes = NameClashes(what: "secret")
            for closure in environment.closures(usedValues) {
                clashes.add(closure.name, closure.value, at: closure.place)
            }
            try clashes.check()
        }
        return GeneratedFile(path: "\(source.module)/Environments.swift", text: lines.text)
    }

    /// Lists of the variants of all endpoints: a list of the default variants, and lists of the variants that environments name.
    private mutating func lists(of variants: [(type: EndpointTypes.Group, writers: [VariantWriter])]) -> [GeneratedFile]
    {
        var lines = start(["the stub variants of all endpoints"], variants.map(\.type.file))
        lines.add("public import Exchange")
        lines.add("import \(source.module)")
        lines.add()
        lines.document(["Lists of stub variants, with which a client responds to the calls of many endpoints."])
        lines.block("public enum \(source.variantsType)") { lines in
            lines.document([
                "The default variant of each endpoint, for requests without a chosen variant. An endpoint whose variants are all failures isn't in the list."
            ])
            Self.write("standard", variants, to: &lines) { $0.standard }
            for environment in source.environments {
                guard let stubs = environment.stubs else { continue }
                let name = SwiftNames.value(environment.name, role: "environment", taken: ["standard"])
                for writer in variants.flatMap(\.writers) where writer.decidesByCall {
                    guard let chosen = stubs[named: writer.endpoint.id] else { continue }
                    notes.append(
                        ConversionNote(
                            .lost,
                            "a stub variant that an environment names is replaced by a variant whose conditions are met",
                            "\(environment.name), \(writer.endpoint.id)", at: chosen.place))
                }
                lines.add()
                lines.document(["The variants of the environment \(environment.name)."])
                Self.write(name, variants, to: &lines) { writer in
                    let chosen = stubs[named: writer.endpoint.id]?.value ?? stubs[named: "*"]?.value
                    guard let chosen else { return nil }
                    return writer.variants.contains { $0.source == chosen } ? chosen : nil
                }
            }
        }
        return [GeneratedFile(path: "\(source.stubModule)/Variants.swift", text: lines.text)]
    }

    private static func write(
        _ name: String, _ variants: [(type: EndpointTypes.Group, writers: [VariantWriter])], to lines: inout CodeLines,
        choosing choice: (VariantWriter) -> String?
    ) {
        let lists = variants.map { group in
            group.writers.compactMap { writer in
                choice(writer).map { "\(writer.call).Variant.\(SwiftNames.quoted(VariantWriter.caseName(of: $0)))" }
            }
        }
        lines.block("public static var \(SwiftNames.quoted(name)): [any StubVariant]") { lines in
            let names = lists.flatMap(\.self)
            if names.isEmpty { return lines.add("[]") }
            if names.count <= 24 {
                lines.add("[")
                lines.indented { $0.addFilled(names) }
                return lines.add("]")
            }
            // The compiler needs a long time for one long list.
            lines.add("var all: [any StubVariant] = []")
            for names in lists where !names.isEmpty {
                lines.add("all += [")
                lines.indented { $0.addFilled(names) }
                lines.add("]")
            }
            lines.add("return all")
        }
    }
}

extension Named<Setting<ValueTemplate>> {
    /// Whether the variable's value may be a list. If so, the name under which the value is sent, such as a header, may repeat.
    fileprivate var mayBeList: Bool {
        switch value.set {
        case nil, .scalar: false
        case .plain(let value): value.kind == .array
        case .text(let text): if case .name? = text.onlyPlaceholder?.value { true } else { false }
        case .list, .object, .choice: true
        }
    }
}

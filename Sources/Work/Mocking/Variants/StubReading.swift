package import Exchange
package import Foundation
import ReqcliAssembly
import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

/// The responses of one variant: a single response, or several responses in turn.
package struct StubScript: Sendable {
    package let stubs: [Stub]
    package let afterwards: StubTransport.Afterwards

    /// The stub for the request with this number, from 0; nil if there are no more.
    package func stub(_ number: Int) -> Stub? { afterwards.element(number, of: stubs) }
}

extension Workspace {
    /// Reads a variant of an endpoint, with its files and the variants that it refers to by `like`.
    ///
    /// - Parameters:
    ///   - name: The variant; nil for the default one.
    ///   - status: The exit status of the program if the variant doesn't exist.
    ///   - staysOnDisk: Whether the file at this path is not read into memory, but sent from the disk.
    package func stubs(
        _ name: String?, of endpoint: LocatedEndpoint, ifUnknown status: ExitStatus,
        staysOnDisk: @escaping (_ path: String) -> Bool = { _ in false }
    ) throws(Failure) -> StubScript {
        let stubs = endpoint.definition.stubs
        guard let variants = stubs?.variants, !variants.isEmpty else {
            throw Failure(
                status, code: .variantUnknown, "\(endpoint.id) has no stub variants",
                hint: endpoint.isTyped
                    ? "only an endpoint in a file can have stub variants; choose an environment with a server"
                    : "add \"stubs\": {\"variants\": {…}} to the endpoint in \(endpoint.file.name)")
        }
        let chosen = name ?? stubs?.standardName ?? variants[0].name
        var reading = StubReading(workspace: self, endpoint: endpoint, variants: variants, ifUnknown: status)
        reading.staysOnDisk = staysOnDisk
        return try reading.script(named: chosen)
    }

    /// A variant merged with the variants that it refers to by `like`.
    package func mergedVariant(_ variant: Named<VariantDefinition>, of endpoint: LocatedEndpoint) throws(Failure)
        -> VariantDefinition
    {
        var reading = StubReading(
            workspace: self, endpoint: endpoint, variants: endpoint.definition.stubs?.variants ?? [], ifUnknown: .broken
        )
        return try reading.merged(variant.value)
    }

    /// The bytes of a file below `stubs/`.
    package func stubFile(_ name: Located<String>) throws(Failure) -> Data {
        if let problem = problem(ofStubFile: name) { throw Failure(.broken, [problem]) }
        do throws(FileProblem) {
            return Data(try files.read(path("stubs/\(name.value)"), 1 << 30))
        } catch {
            throw Failure(
                .broken, code: .valueInvalid, "cannot read \"stubs/\(name.value)\": \(error.reason)", at: name.place)
        }
    }
}

/// Reads an endpoint's variants.
private struct StubReading {
    private let workspace: Workspace
    private let endpoint: LocatedEndpoint
    private let variants: [Named<VariantDefinition>]
    private let unknownStatus: ExitStatus
    /// Whether the file at this path is not read into memory, but sent from the disk.
    var staysOnDisk: (_ path: String) -> Bool = { _ in false }
    private lazy var byName = Dictionary(
        variants.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    /// The responses that were read so far. They are kept, because a sequence may repeat a response often.
    private var stubs: [Range<Int>: Stub] = [:]

    init(
        workspace: Workspace, endpoint: LocatedEndpoint, variants: [Named<VariantDefinition>],
        ifUnknown status: ExitStatus
    ) {
        self.workspace = workspace
        self.endpoint = endpoint
        self.variants = variants
        unknownStatus = status
    }

    mutating func script(named name: String) throws(Failure) -> StubScript {
        // Search for the name, because a single search is faster than making a table of all names.
        guard let variant = variants[named: name] else { throw unknown(name, at: nil) }
        guard let steps = variant.sequence else {
            return StubScript(stubs: [try stub(name, variant)], afterwards: .last)
        }
        let stubs = try self.stubs(of: steps, in: name)
        switch variant.afterLast ?? .last {
        case .last: return StubScript(stubs: stubs, afterwards: .last)
        case .loop: return StubScript(stubs: stubs, afterwards: .loop)
        case .fail:
            let end = Failure(
                .noAnswer, code: .noAnswer,
                "the request failed: the stub variant \(name) has sent all of its \(stubs.count) responses, "
                    + "and has \"then\": \"fail\"")
            return StubScript(stubs: stubs + [Stub(error: end).named(name)], afterwards: .last)
        }
    }

    /// A sequence that is being read.
    private struct OpenSequence {
        /// The name of the variant in the step; nil if the variant is written in the step itself.
        let name: String?
        /// The name for responses that are written in the sequence itself.
        let shownName: String
        var steps: ArraySlice<VariantDefinition.Step>
    }

    /// The responses of a sequence. A step may itself be a sequence. The function is not recursive, because the depth of
    /// sequences depends on the files.
    private mutating func stubs(of steps: [VariantDefinition.Step], in name: String) throws(Failure) -> [Stub] {
        var stubs: [Stub] = []
        var open = [OpenSequence(name: name, shownName: name, steps: steps[...])]
        var openNames: Set<String> = [name]
        var stepCount = 0
        while let current = open.last {
            guard let step = current.steps.first else {
                open.removeLast()
                if let name = current.name { openNames.remove(name) }
                continue
            }
            open[open.count - 1].steps.removeFirst()
            stepCount += 1
            guard stepCount <= Limits.sequence else {
                throw Failure(.broken, [.sequenceLength(name, at: byName[name]?.place)])
            }
            switch step {
            case .written(let variant):
                if let inner = variant.sequence {
                    open.append(OpenSequence(name: nil, shownName: current.shownName, steps: inner[...]))
                } else {
                    stubs.append(try knownStub(current.shownName, variant))
                }
            case .named(let other):
                let variant = try self.variant(other.value, at: other.place)
                if let inner = variant.sequence {
                    guard openNames.insert(other.value).inserted else {
                        throw circle(open.compactMap(\.name), backTo: other)
                    }
                    open.append(OpenSequence(name: other.value, shownName: other.value, steps: inner[...]))
                } else {
                    stubs.append(try knownStub(other.value, variant))
                }
            }
        }
        return stubs
    }

    private mutating func variant(_ name: String, at place: Place) throws(Failure) -> VariantDefinition {
        guard let variant = byName[name] else { throw unknown(name, at: place) }
        return variant
    }

    private func unknown(_ name: String, at place: Place?) -> Failure {
        let known = variants.map(\.name)
        let list = "available: \(known.joined(separator: ", "))"
        let hint = NearNames.question(for: name, among: known).map { "\($0) \(list)" } ?? list
        return Failure(
            unknownStatus, code: .variantUnknown, "\(endpoint.id) has no stub variant \"\(name)\"", at: place,
            hint: hint)
    }

    // MARK: One response

    private mutating func knownStub(_ name: String, _ variant: VariantDefinition) throws(Failure) -> Stub {
        if let known = stubs[variant.place.range] { return known }
        let stub = try stub(name, variant)
        stubs[variant.place.range] = stub
        return stub
    }

    private mutating func stub(_ name: String, _ variant: VariantDefinition) throws(Failure) -> Stub {
        let merged = try merged(variant)
        var stub: Stub
        switch merged.fault {
        case nil, .truncated:
            stub = Stub(status: merged.status ?? 200, headers: headers(merged), body: try body(merged))
        case .timeout: stub = Stub(error: .timeout(.total))
        case .refused: stub = Stub(error: .refused)
        case .dns: stub = Stub(error: .dns)
        case .tls: stub = Stub(error: .tls(.handshake))
        case .reset: stub = Stub(error: .reset)
        }
        if merged.fault == .truncated { stub.error = TransportError(.truncated, target: "") }
        stub.name = name
        stub.delay = merged.delay
        stub.bodyTime = merged.bodyTime
        stub.isFilled = merged.isFilled ?? false
        stub.mustFail = variant.verdict == .fail
        return stub
    }

    mutating func merged(_ variant: VariantDefinition) throws(Failure) -> VariantDefinition {
        let standard = endpoint.definition.stubs?.standard
        do throws(VariantDefinition.LikeProblem) {
            return try variant.merged(standard: standard) { byName[$0] }
        } catch {
            switch error {
            case .unknown(let like): throw unknown(like.value, at: like.place)
            case .sequence(let like): throw Failure(.broken, [.likeSequence(like)])
            case .circle(let names, let last): throw circle(names, backTo: last)
            }
        }
    }

    private func headers(_ variant: VariantDefinition) -> HeaderFields {
        var headers = variant.headers.flatMap { header in
            (header.value.set ?? []).map { value in
                let text = ValueText.text(of: value.literal ?? value.source)
                return HeaderFields.Field(
                    header.name, variant.isFilled == true ? text : TextTemplate.unescaped(text))
            }
        }
        let isSaid = variant.headers.contains { $0.name.lowercased() == "content-type" }
        if !isSaid, let type = variant.impliedType {
            headers.insert(HeaderFields.Field("Content-Type", type), at: 0)
        }
        return HeaderFields(headers)
    }

    private func body(_ variant: VariantDefinition) throws(Failure) -> Stub.Body {
        switch variant.body {
        case nil: return .data(Data())
        case .json(let value): return .data(Self.data(OrderedJSON(value).compact))
        case .text(let text): return .data(Self.data(text))
        case .bytes(let bytes): return .data(Data(bytes))
        case .file(let name):
            let path = workspace.path("stubs/\(name.value)")
            guard variant.isFilled != true, staysOnDisk(path) else { return .data(try workspace.stubFile(name)) }
            if let problem = workspace.problem(ofStubFile: name) { throw Failure(.broken, [problem]) }
            // Use the real path, so that a link that later replaces the file is not followed.
            return .file(path: workspace.files.resolve(path) ?? path)
        }
    }

    /// The bytes of a text. `Data(text.utf8)` would look for a conformance among the 6,000 of the program, with 240,000 instructions.
    private static func data(_ text: String) -> Data {
        var text = text
        return text.withUTF8 { Data(buffer: $0) }
    }

    /// The failure for variants that refer to each other in a circle.
    ///
    /// - Parameter names: The names of the variants that were followed, in order. The last of them refers back to one of the
    ///   others.
    private func circle(_ names: [String], backTo last: Located<String>) -> Failure {
        Failure(.broken, [.likeCycle(names.drop { $0 != last.value } + [last.value], at: last.place)])
    }
}

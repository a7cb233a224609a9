import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// The text of a script, and the place of each line.
struct PostmanScript {
    enum Kind: String {
        case test
        case preRequest = "pre-request"

        /// The kinds by the types of scripts in files.
        static let types: [String: Kind] = [
            "test": .test, "afterResponse": .test, "prerequest": .preRequest, "beforeRequest": .preRequest,
        ]
    }

    let kind: Kind
    let text: String
    let places: Places

    /// Fails for an event that does nothing.
    init?(_ event: JSONValue) {
        guard let kind = Kind.types[event["listen"]?.string ?? ""], event["disabled"]?.bool != true else { return nil }
        self.init(kind, event["script"]?["exec"] ?? event["script"])
    }

    /// Fails for a text that does nothing.
    ///
    /// - Parameter source: A string, or a list with a string for each line.
    init?(_ kind: Kind, _ source: JSONValue?) {
        guard let source else { return nil }
        self.kind = kind
        var text = ""
        var lines: [(start: Int, value: JSONValue)] = []
        for value in source.kind == .string ? [source] : Array(source.elements) {
            guard let line = value.string else { continue }
            lines.append((text.utf8.count, value))
            text += line + "\n"
        }
        if text.utf8.allSatisfy(\.isJSONWhitespace) { return nil }
        self.text = text
        places = Places(lines: lines[...])
    }

    /// Finds the places of statements, which must be looked up in the order of the text.
    struct Places {
        /// The lines from the one of the last statement on: the offset of each line in the text, and the JSON string that contains
        /// the line.
        fileprivate var lines: ArraySlice<(start: Int, value: JSONValue)>
        fileprivate var offsets: JSONValue.TextOffsets?

        /// The place of a range, up to the end of its line.
        mutating func place(of range: Range<Int>) -> Place? {
            while let next = lines.dropFirst().first, next.start <= range.lowerBound {
                lines.removeFirst()
                offsets = nil
            }
            guard let line = lines.first else { return nil }
            var found = offsets ?? line.value.textOffsets
            let start = found.source(ofText: range.lowerBound - line.start)
            offsets = found
            let end = found.source(ofText: range.upperBound - line.start)
            return Place(line.value.place.file, start..<max(start, end))
        }
    }
}

/// The tests, captures and params that a script adds to the requests below it.
struct PostmanFindings {
    /// The tests that are completely understood.
    var tests: [Test] = []
    var captures: [ImportedCapture] = []
    /// Params with defaults. They come from constants that a script sets and that have other values in other scripts.
    var params: [ImportedParam] = []

    struct Test {
        let name: String
        let conditions: [ExpectDraft.Condition]
        let place: Place?
    }

    /// Adds what endpoint files can express of a unit.
    ///
    /// - Returns: Whether the unit is converted.
    fileprivate mutating func add(
        _ unit: ScriptUnit, of kind: PostmanScript.Kind, _ owner: String, _ variables: inout PostmanVariables,
        at place: Place?
    ) -> Bool {
        switch kind {
        case .test:
            guard let conditions = unit.conditions else { return false }
            captures += unit.captures
            if !conditions.isEmpty {
                tests.append(Test(name: unit.name ?? owner, conditions: conditions, place: place))
            }
        case .preRequest:
            guard unit.name == nil, let (name, value) = unit.settings.first, case .constant(let constant)? = value,
                let text = constant.scalarText
            else { return false }
            // The default of a param is literal.
            if TemplateText(text).isComputed { return variables.set(name, constant) }
            guard TextTemplate.escaped(text) == text else { return false }
            if !variables.set(name, constant) { params.append(ImportedParam(name, defaultValue: constant)) }
        }
        return true
    }
}

extension PostmanReader {
    /// The tests, captures and params from the scripts of a folder or a request. Each script is read only once, even if many
    /// requests inherit the script.
    mutating func findings(of scripts: [PostmanScript], named owner: String) -> [PostmanFindings] {
        scripts.map { script in
            var findings = PostmanFindings()
            var places = script.places
            for unit in ScriptUnit.list(script.text, dialect, naming: { variables.name(of: $0) }) {
                let place = places.place(of: unit.range)
                if findings.add(unit, of: script.kind, owner, &variables, at: place) { continue }
                let (message, detail) =
                    if let name = unit.name {
                        ("a test is not converted", name)
                    } else if let name = unit.settings.first?.name {
                        ("a script sets a variable to a value that is not known here", name)
                    } else {
                        ("a statement of a \(script.kind.rawValue) script is not converted", owner)
                    }
                notes.append(ConversionNote(.lost, message, detail, at: place))
            }
            return findings
        }
    }
}

extension PostmanRequestReader {
    mutating func apply(_ scripts: [PostmanFindings]) {
        for test in scripts.flatMap(\.tests) where !expect.add(test.conditions) {
            notes.append(
                ConversionNote(
                    .lost, "a test can't be combined with the other tests of its request", test.name, at: test.place))
        }
        request.expect = expect.json
        var later: Set<String> = []
        request.captures = (request.captures + scripts.flatMap(\.captures)).reversed()
            .filter { later.insert($0.name).inserted }.reversed()
        var known = Set(request.params.map(\.name))
        request.params += scripts.flatMap(\.params).filter { known.insert($0.name).inserted }
    }
}

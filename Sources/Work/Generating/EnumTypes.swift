/// The enums of the generated code. An enum with the same name and the same cases as an earlier one becomes another name of it, so
/// that values can be passed between params, bodies and responses.
struct EnumTypes {
    private struct Known {
        let name: String
        let cases: Set<String>
        /// The name with the names of the types around it.
        let path: String

        /// Whether an enum with this name is meant: the same name, or the end of the name of a type that is in no other type.
        func isCalled(_ other: String) -> Bool { name == other || path == name && name.hasSuffix(other) }
    }

    private var known: [Known] = []

    /// Writes the enum into the type at `owner`, or an alias of the earlier enum.
    mutating func write(
        _ option: ParameterCode.OptionType, documentation: [String], in owner: String, to lines: inout CodeLines
    ) {
        let cases = Set(option.cases.map { "\($0.name)=\(option.isText)\($0.value)" })
        lines.add()
        lines.document(documentation + ["The values that are allowed."])
        if let same = known.first(where: { $0.cases == cases && $0.isCalled(option.name) }), same.path != option.name {
            return lines.add("public typealias \(option.name) = \(same.path)")
        }
        let path = owner.isEmpty ? option.name : "\(owner).\(option.name)"
        known.append(Known(name: option.name, cases: cases, path: path))
        lines.block("public enum \(option.name): String, CaseIterable, Codable, Hashable, Sendable") { lines in
            let cases = option.cases.map { one in
                let isSame = one.name.utf8.elementsEqual(one.value.utf8)
                return SwiftNames.quoted(one.name) + (isSame ? "" : " = \(SwiftText.literal(one.value))")
            }
            if cases.joined().count < 80 { return lines.add("case \(cases.joined(separator: ", "))") }
            for one in cases { lines.add("case \(one)") }
        }
    }
}

/// The enums of the generated code. An enum with the same cases as an earlier one becomes another name of it, so that values can be
/// passed between params, bodies and responses.
struct EnumTypes {
    /// The names of the enums with the names of the types around them, by their cases.
    private var paths: [Set<String>: String] = [:]

    /// The earlier enum with these cases, if it is in no other type.
    func global(like option: ParameterCode.OptionType) -> String? {
        paths[option.identity].flatMap { $0.contains(".") ? nil : $0 }
    }

    /// Writes the enum into the type at `owner`, or an alias of the earlier enum.
    mutating func write(
        _ option: ParameterCode.OptionType, documentation: [String], in owner: String, to lines: inout CodeLines
    ) {
        lines.add()
        lines.document(documentation + ["The values that are allowed."])
        if let same = paths[option.identity], same != option.name {
            return lines.add("public typealias \(option.name) = \(same)")
        }
        let path = owner.isEmpty ? option.name : "\(owner).\(option.name)"
        paths[option.identity] = path
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

extension ParameterCode.OptionType {
    fileprivate var identity: Set<String> { Set(cases.map { "\($0.name)=\(isText)\($0.value)" }) }
}

import SourceText

extension ImportedRequest {
    /// Makes params of the numbers and UUIDs in the path, with these as their defaults.
    mutating func makeParamsOfPathValues() {
        var segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let indices = segments.indices.filter { PathSegment.isValue(segments[$0]) }
        for index in indices {
            let isID = index == indices.last
            let before = segments[..<index].last { !$0.isEmpty && !$0.contains("{{") } ?? ""
            let wanted = isID || Words.camel(before).isEmpty ? "id" : Words.singular(Words.camel(before)) + "ID"
            let name = ParamNames.clean(wanted, notAmong: params.map(\.name))
            let value = OrderedJSON.typed(segments[index])
            params.append(
                OrderedJSON.Member(name, .object(["type": .string(value.parameterType), "default": value])))
            segments[index] = "{{\(name)}}"
        }
        path = segments.joined(separator: "/")
    }
}

import ReqcliText

/// A path in which numbers and UUIDs are replaced by params: `/users/{{id}}` for `/users/42`.
struct PathValues: Equatable {
    /// The path with placeholders.
    let path: String
    /// The names of the params with their values, in the order of the path.
    let values: [OrderedJSON.Member]

    /// Replaces the numbers and UUIDs of a path.
    ///
    /// - Parameter taken: Names that no param may have.
    init(_ path: String, notAmong taken: some Sequence<String> = []) {
        var segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        var values: [OrderedJSON.Member] = []
        var taken = ParamNames(taken)
        let last = segments.lastIndex { SegmentKind.isValue($0) }
        var before = ""
        for index in segments.indices {
            guard SegmentKind.isValue(segments[index]) else {
                if !segments[index].isEmpty, !segments[index].contains("{{") { before = segments[index] }
                continue
            }
            let stem = Words.singular(Words.camel(before))
            let name = taken.take(index == last || stem.isEmpty ? "id" : stem + "ID")
            values.append(OrderedJSON.Member(name, .typed(segments[index])))
            segments[index] = "{{\(name)}}"
        }
        self.path = segments.joined(separator: "/")
        self.values = values
    }

    /// The params, with their values as defaults.
    var params: [ImportedParam] { values.map { ImportedParam($0.name, defaultValue: $0.value) } }
}

extension ImportedRequest {
    /// Turns the numbers and UUIDs in the path into params, with these values as their defaults.
    mutating func makeParamsOfPathValues() {
        guard path.split(separator: "/").contains(where: { SegmentKind.isValue($0) }) else { return }
        // A new param must not get the name of a variable of the source.
        let values = PathValues(path, notAmong: params.map(\.name) + placeholders)
        params += values.params
        path = values.path
    }
}

import RequestBuilding

/// Reads the items of queries.
enum QueryItem {
    /// The items of a query without percent-encoding, in order. A plus sign stays one, unlike in a form.
    private static func query(_ text: some StringProtocol) -> [(name: String, value: String)] {
        text.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                PercentEncoding.decoded($0)
            }
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    /// The items of a query, each name once.
    static func grouped(_ text: String) -> [(name: String, values: [String])] {
        var items: [(name: String, values: [String])] = []
        for (name, value) in query(text) {
            if let index = items.firstIndex(where: { $0.name == name }) {
                items[index].values.append(value)
            } else {
                items.append((name, [value]))
            }
        }
        return items
    }
}

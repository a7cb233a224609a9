public import Foundation

/// Operators for query items. Items keep their order, and names may repeat. Names and values are encoded so that none
/// can start another item (`+ & = #` and everything else that is not unreserved; a space becomes `%20`).
extension RequestBuilder {
    /// Adds a query item at the end, even if the name already exists. A nil value adds nothing.
    ///
    /// ```swift
    /// builder.addingQueryItem("tag", "a").addingQueryItem("tag", "b")  // ?tag=a&tag=b
    /// ```
    public func addingQueryItem(_ name: String, _ value: String?) -> RequestBuilder {
        guard let value else { return self }
        return addingQueryItems([URLQueryItem(name: name, value: value)])
    }

    /// Adds query items at the end. An item whose value is nil is sent as its bare name.
    public func addingQueryItems(_ items: [URLQueryItem]) -> RequestBuilder {
        items.reduce(self) { builder, item in
            builder.appending(
                "addingQueryItem", .queryItem(item.name), .adds, value: item.value ?? "",
                .url { $0.addQueryItems([item]) })
        }
    }

    /// Replaces the whole query. Items whose value is nil are left out, and an empty list leaves no query.
    ///
    /// ```swift
    /// builder.query([("city", "San Francisco"), ("page", nil)])  // ?city=San%20Francisco
    /// ```
    public func query(_ items: [(name: String, value: String?)]) -> RequestBuilder {
        let items = items.filter { $0.value != nil }.map { URLQueryItem(name: $0.name, value: $0.value) }
        let value = items.map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&")
        return appending(
            "query", .other("query"), items.isEmpty ? .removes : .sets, value: items.isEmpty ? nil : value,
            .url { $0.setQuery(items) })
    }

    /// Adds the query of a URL after the existing items. Its escapes and each `+` stay; characters that a query cannot hold
    /// are encoded.
    package func addingEncodedQuery(_ text: String) -> RequestBuilder {
        let items = text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { item in
            let sides = Substring(item).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map(PercentEncoding.query)
            return URLQueryItem(name: sides[0], value: sides.count > 1 ? sides[1] : nil)
        }
        return appending(
            "addingEncodedQuery", .other("query"), .adds, value: text, .url { $0.addEncodedQueryItems(items) })
    }

    /// Sets a query item. It replaces all items of that name, in the place of the first one. A nil value changes
    /// nothing.
    public func queryItem(_ name: String, _ value: String?) -> RequestBuilder {
        guard let value else { return self }
        return queryItem(name, values: [value])
    }

    /// Sets a query item with several values; an empty list removes it.
    public func queryItem(_ name: String, values: [String]) -> RequestBuilder {
        guard !values.isEmpty else { return removingQueryItem(name) }
        return appending(
            "queryItem", .queryItem(name), value: values.joined(separator: ", "),
            .url { $0.setQueryItem(name, values) })
    }

    /// Removes all query items of that name.
    public func removingQueryItem(_ name: String) -> RequestBuilder {
        appending("removingQueryItem", .queryItem(name), .removes, .url { $0.removeQueryItem(name) })
    }
}

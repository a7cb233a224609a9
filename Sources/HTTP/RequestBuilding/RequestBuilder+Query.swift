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
            "query", .query, items.isEmpty ? .removes : .sets, value: items.isEmpty ? nil : value,
            .url { $0.setQuery(items) })
    }

    /// Adds the query of a URL after the existing items. Its escapes and each `+` stay; characters that a query cannot hold
    /// are encoded.
    package func addingEncodedQuery(_ text: String) -> RequestBuilder {
        let encoded = PercentEncoding.normalized(PercentEncoding.query(text[...]))
        return appending("addingEncodedQuery", .query, .adds, value: text, .url { $0.addEncodedQuery(encoded) })
    }

    /// Replaces the whole query by a text that is sent byte for byte, such as `flag&a=1+2&&b=%e9`. An empty text leaves
    /// no query.
    ///
    /// The text is not read as items: items that later operators set or add follow it, separated by `&`. A text with a
    /// character that a URL cannot hold is an error.
    ///
    /// ```swift
    /// builder.rawQuery("flag&date=2026-01-02T00:00").queryItem("page", "2")
    /// // ?flag&date=2026-01-02T00:00&page=2
    /// ```
    public func rawQuery(_ text: String) -> RequestBuilder {
        appending(
            "rawQuery", .query, text.isEmpty ? .removes : .sets, value: text.isEmpty ? nil : text,
            .url { draft in
                if let mark = PercentEncoding.firstUnencoded(inQuery: text) {
                    throw StepFailure(.invalidQuery, "the query has \(mark.name): write \(mark.encoded)")
                }
                draft.setRawQuery(text)
            })
    }

    /// Sets a query item, and replaces the one that a raw query has.
    package func replacingQueryItem(_ name: String, _ value: String) -> RequestBuilder {
        appending("replacingQueryItem", .queryItem(name), value: value, .url { $0.replaceQueryItem(name, value) })
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

    /// Sets a query item with the values that are not nil; without any, nothing changes.
    public func queryItem(_ name: String, repeating values: [String?]) -> RequestBuilder {
        let values = values.compactMap(\.self)
        return values.isEmpty ? self : queryItem(name, values: values)
    }

    /// Marks a query item as one that holds a secret: logs hide it.
    public func secretQueryItem(_ name: String) -> RequestBuilder {
        modifyRequest("secretQueryItem", subject: .other("secret query item \(name)"), value: name) {
            if !$0.secretQueryItems.contains(name) { $0.secretQueryItems.append(name) }
        }
    }

    /// Removes all query items of that name.
    public func removingQueryItem(_ name: String) -> RequestBuilder {
        appending("removingQueryItem", .queryItem(name), .removes, .url { $0.removeQueryItem(name) })
    }
}

package import Foundation

/// Operators for query items. Items keep their order, and names may repeat. In names and values, all characters are encoded
/// except unreserved ones (letters, digits and `- . _ ~`), so that a value cannot start another item. A space becomes `%20`.
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

    /// Adds query items at the end. An item whose value is nil is sent as its name without `=`.
    package func addingQueryItems(_ items: [URLQueryItem]) -> RequestBuilder {
        items.reduce(self) { builder, item in
            builder.appending(
                "addingQueryItem", .queryItem(item.name), .adds, value: item.value ?? "",
                .url { $0.addQueryItems([item]) })
        }
    }

    /// Adds query items at the end, even if their names already exist. Items whose value is nil are left out.
    ///
    /// ```swift
    /// builder.addingQuery([("tag", "a"), ("tag", "b"), ("page", nil)])  // ?tag=a&tag=b
    /// ```
    public func addingQuery(_ items: [(name: String, value: String?)]) -> RequestBuilder {
        items.reduce(self) { $0.addingQueryItem($1.name, $1.value) }
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

    /// Adds the query of a URL after the existing items. The escapes and each `+` of this query are kept. Characters that a query
    /// cannot contain are encoded.
    package func addingEncodedQuery(_ text: String) -> RequestBuilder {
        let encoded = PercentEncoding.normalized(PercentEncoding.query(text[...]))
        return appending("addingEncodedQuery", .query, .adds, value: text, .url { $0.addEncodedQuery(encoded) })
    }

    /// Replaces the whole query by a string that is sent byte for byte, such as `flag&a=1+2&&b=%e9`. With an empty string, the
    /// request has no query.
    ///
    /// The string is not split into items. Items that later operators set or add are appended to the string, separated by `&`. A
    /// string with a character that a URL cannot contain is an error.
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

    /// Sets a query item. This also replaces an item of the same name in a raw query.
    package func replacingQueryItem(_ name: String, _ value: String) -> RequestBuilder {
        appending("replacingQueryItem", .queryItem(name), value: value, .url { $0.replaceQueryItem(name, value) })
    }

    /// Sets a query item. The new item replaces all items of the same name, and takes the position of the first. A nil value
    /// changes nothing.
    public func queryItem(_ name: String, _ value: String?) -> RequestBuilder {
        guard let value else { return self }
        return queryItem(name, values: [value])
    }

    /// Sets a query item with several values; an empty list removes the item.
    public func queryItem(_ name: String, values: [String]) -> RequestBuilder {
        guard !values.isEmpty else { return removingQueryItem(name) }
        return appending(
            "queryItem", .queryItem(name), value: values.joined(separator: ", "),
            .url { $0.setQueryItem(name, values) })
    }

    /// Sets a query item with the values that are not nil. If all values are nil, nothing changes.
    @_spi(Generated) public func queryItem(_ name: String, repeating values: [String?]) -> RequestBuilder {
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

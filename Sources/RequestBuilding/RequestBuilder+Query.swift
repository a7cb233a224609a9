public import Foundation

/// Query items keep their order; names may repeat. Names and values are encoded so that none can start another item
/// (`+ & = #` and everything else that is not unreserved; a space becomes `%20`).
extension RequestBuilder {
    /// Adds a query item after those there are, even where the name is there already. A nil value adds nothing.
    ///
    /// ```swift
    /// builder.addingQueryItem("tag", "a").addingQueryItem("tag", "b")  // ?tag=a&tag=b
    /// ```
    public func addingQueryItem(_ name: String, _ value: String?) -> RequestBuilder {
        guard let value else { return self }
        return addingQueryItems([URLQueryItem(name: name, value: value)])
    }

    /// Adds query items after those there are. An item whose value is nil is sent as its bare name.
    public func addingQueryItems(_ items: [URLQueryItem]) -> RequestBuilder {
        items.reduce(self) { builder, item in
            builder.appending(
                "addingQueryItem", .queryItem(item.name), .adds, value: item.value ?? "",
                .url { $0.addQueryItems([item]) })
        }
    }

    /// Sets a query item: all items of that name give way, and the new one stands where the first of them stood. A nil
    /// value changes nothing.
    public func queryItem(_ name: String, _ value: String?) -> RequestBuilder {
        guard let value else { return self }
        return queryItem(name, values: [value])
    }

    /// Sets a query item that repeats; an empty list removes the name.
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

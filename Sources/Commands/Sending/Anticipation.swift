import Exchange

/// What can be begun before the words of a call are understood.
package enum Anticipation {
    /// Begins to open libcurl if the words look like those of a call that sends: with the some twenty libraries that it
    /// needs, that takes longer than all else a small request needs, and goes on beside it.
    ///
    /// A guess that is wrong costs a little time and changes nothing.
    package static func begin(for words: some Collection<String>) {
        if isSending(words) { LibcurlProtocol.beginLoading() }
    }

    /// Whether a call probably goes to a server.
    package static func isSending(_ words: some Collection<String>) -> Bool {
        words.count > 1 && words.first == "send"
            && !words.contains { $0.hasPrefix("--stub") || $0 == "--help" || $0 == "-h" }
    }
}

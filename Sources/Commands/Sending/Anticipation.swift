import Exchange

/// What can be begun before the words of a call are understood.
package enum Anticipation {
    /// Begins to open libcurl if the words look like those of a call that sends: with the some twenty libraries that it
    /// needs, that takes longer than all else a small request needs, and goes on beside it.
    ///
    /// A guess that is wrong costs a little time and changes nothing.
    package static func begin(for words: [String]) {
        if isSending(words) { LibcurlProtocol.beginLoading() }
    }

    /// Whether a call probably goes to a server.
    package static func isSending(_ words: [String]) -> Bool {
        guard words.count > 1, words[0] == "send" else { return false }
        for word in words where word.hasPrefix("--stub") || word == "--help" || word == "-h" { return false }
        return true
    }
}

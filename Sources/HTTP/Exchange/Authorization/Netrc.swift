/// User names and passwords by host, from a `.netrc` file.
///
/// The reader understands `machine`, `default`, `login`, `password` and `account`, and skips macros. Values may be quoted.
package struct Netrc: Sendable {
    private var entries: [Entry] = []

    private struct Entry: Sendable {
        /// The host; nil for the default entry.
        var host: String?
        var user: String?
        var password: String?
    }

    /// Reads the text of a netrc file. Unknown words are ignored, as in other tools.
    package init(text: String) {
        var words = Words(text)
        while let word = words.next() {
            switch word {
            case "machine": entries.append(Entry(host: words.next()?.lowercased() ?? ""))
            case "default": entries.append(Entry(host: nil))
            case "login": set(\.user, words.next())
            case "password": set(\.password, words.next())
            case "account": _ = words.next()
            case "macdef": words.skipMacro()
            default: break
            }
        }
    }

    /// The credentials for a host, or the default credentials. As in curl, the first entry with a password is used.
    package func credentials(for host: String) -> (user: String, password: String)? {
        let host = host.lowercased()
        let matching = entries.filter { $0.host == nil || $0.host == host }
        guard let entry = matching.first(where: { $0.password != nil }) ?? matching.last else { return nil }
        return (entry.user ?? "", entry.password ?? "")
    }

    /// Sets the login or the password of the last entry. As in curl, a later value replaces an earlier value only until the entry
    /// has both a login and a password.
    private mutating func set(_ part: WritableKeyPath<Entry, String?>, _ value: String?) {
        guard let entry = entries.last, entry.user == nil || entry.password == nil else { return }
        entries[entries.count - 1][keyPath: part] = value
    }
}

extension Netrc: CustomStringConvertible {
    /// The hosts, without user names and passwords.
    package var description: String {
        "credentials for \(entries.map { $0.host ?? "any host" }.joined(separator: ", "))"
    }
}

extension Netrc {
    /// The words of the text, separated by whitespace. A word in double quotes may contain whitespace and escapes.
    private struct Words {
        private var rest: Substring

        init(_ text: String) {
            rest = text[...]
        }

        mutating func next() -> String? {
            while true {
                rest = rest.drop { $0.isWhitespace }
                guard rest.first == "#" else { break }
                rest = rest.drop { !$0.isNewline }
            }
            guard let first = rest.first else { return nil }
            if first == "\"" { return quoted() }
            let word = rest.prefix { !$0.isWhitespace }
            rest = rest[word.endIndex...]
            return String(word)
        }

        private mutating func quoted() -> String {
            rest = rest.dropFirst()
            var word = ""
            while let character = rest.popFirst(), character != "\"" {
                guard character == "\\", let escaped = rest.popFirst() else {
                    word.append(character)
                    continue
                }
                switch escaped {
                case "n": word.append("\n")
                case "r": word.append("\r")
                case "t": word.append("\t")
                default: word.append(escaped)
                }
            }
            return word
        }

        /// Skips a macro, which ends with an empty line.
        mutating func skipMacro() {
            rest = rest.drop { !$0.isNewline }.dropFirst()
            while let line = rest.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).first {
                rest = rest[line.endIndex...].dropFirst()
                if line.allSatisfy(\.isWhitespace) { return }
            }
        }
    }
}

extension ConformanceRow {
    private static let ok = "200 POST / , 200 GET /end , closed"
    private static let refused = "400, closed"

    /// Section 5: field lines.
    static let fields = [
        post("5", "no space behind a colon", "A:b", ok),
        post("5", "an empty value", "A:", ok),
        post("5", "a value of spaces", "A: \t ", ok), post("5", "spaces around a value", "A: \t b \t", ok),
        post("5", "a field many times", "A: b\r\nA: b\r\na: c", ok), post("5", "a colon in a value", "A: b:c", ok),
        post("5", "an unknown field", "X-Unknown_9: b", ok),
        post("5", "all bytes of a token", "!#$%&'*+-.^_`|~0aZ: b", ok),
        post("5", "no colon", "A", refused), post("5", "an empty name", ": b", refused),
        post("5", "a space in a name", "A B: c", refused),
        post("5", "a name with a delimiter", "A(b): c", refused), post("5", "a name with an accent", "Ä: b", refused),
        post("5", "NUL in a name", "A\0: b", refused), post("5", "a control character in a name", "A\u{1}: b", refused),
        post("5", "quotes around a name", "\"A\": b", refused), post("5", "a slash in a name", "A/b: c", refused),
        post("5.1", "a space before a colon", "A : b", refused), post("5.1", "a tab before a colon", "A\t: b", refused),
        post("5.1", "a space before the colon of a length", "Content-Length : 0", refused),
        post("5.1", "a space before the colon of a coding", "Transfer-Encoding : chunked", refused),
        post("5.1", "a space behind a name without a value", "A :", refused),
        post("5.2", "folding by a space", "A: b\r\n c", refused),
        post("5.2", "folding by a tab", "A: b\r\n\tc", refused),
        post("5.2", "folding of an empty value", "A:\r\n b", refused),
        post("5.2", "a folded line of a space", "A: b\r\n ", refused),
        post("5.2", "a folded Host", "Host:\r\n h", refused),
        post("5.2", "a folded length", "Content-Length:\r\n 0", refused),
        post("5.2", "a folded coding", "Transfer-Encoding:\r\n chunked", refused),
        post("5.2", "a field behind a folded one", "A: b\r\n c\r\nD: e", refused),
        // RFC 9110, section 5.5: values
        post(
            "9110 5.5", "all visible bytes",
            "A: \(String(String.UnicodeScalarView((0x21...0x7E).map { Unicode.Scalar($0) })))", ok),
        post("9110 5.5", "UTF-8 in a value", "A: é中", ok), post("9110 5.5", "a tab in a value", "A: b\tc", ok),
        post("9110 5.5", "NUL in a value", "A: b\0c", refused),
        post("9110 5.5", "a bell in a value", "A: \u{7}", refused),
        post("9110 5.5", "an escape in a value", "A: \u{1B}[0m", refused),
        post("9110 5.5", "DEL in a value", "A: b\u{7F}", refused),
        post("9110 5.5", "a vertical tab in a value", "A: b\u{B}c", refused),
        post("9110 5.5", "a form feed before a value", "A: \u{C}b", refused),
        // RFC 9110: fields that ask for nothing here
        post(
            "9110 7.8", "an upgrade to WebSocket",
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13", ok),
        post(
            "9110 7.8", "an upgrade to HTTP/2",
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA", ok),
        post("9110 7.8", "an upgrade that Connection doesn't name", "Upgrade: foo/2", ok),
        ConformanceRow(
            "9110 7.8", "an upgrade in 1.0", "GET / HTTP/1.0\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
            "200 GET / , closed"),
        post("9110 10.1.4", "trailers are welcome", "TE: trailers, gzip;q=0.5", ok),
        post("9110 10.1.1", "an expectation without a body", "Expect: 100-continue", ok),
        post("9110 10.1.1", "an expectation of no bytes", "Expect: 100-continue\r\nContent-Length: 0", ok),
        post("9110 10.1.1", "another expectation", "Expect: 200-ok", "417, closed"),
        post("9110 10.1.1", "another expectation beside it", "Expect: 100-continue, x", "417, closed"),
        post("9110 10.1.1", "another expectation in a second line", "Expect: 100-continue\r\nExpect: x", "417, closed"),
        post("9110 10.1.1", "an empty expectation", "Expect:", "417, closed"),
        ConformanceRow(
            "9110 10.1.1", "an expectation in 1.0 is passed over",
            "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na", "200 POST / a, closed"),
        ConformanceRow(
            "9110 10.1.1", "another expectation in 1.0 is passed over", "GET / HTTP/1.0\r\nExpect: x\r\n\r\n",
            "200 GET / , closed"),
        post("9110 14.2", "a range", "Range: bytes=0-1", ok), post("9110 13", "a condition", "If-None-Match: *", ok),
        post("9110 5.6.2", "a length of another name", "Content_Length: 5", ok),
    ]

    /// Section 9: connections.
    static let connections = [
        post("9.3", "close", "Connection: close", "200 POST / , closed"),
        post("9.3", "close in capitals", "CONNECTION: CLOSE", "200 POST / , closed"),
        post("9.3", "close in a list", "Connection: a,close ,b", "200 POST / , closed"),
        post("9.3", "close in a second line", "Connection: keep-alive\r\nConnection: close", "200 POST / , closed"),
        post("9.3", "close before keep-alive", "Connection: close, keep-alive", "200 POST / , closed"),
        post("9.3", "keep-alive", "Connection: keep-alive", ok),
        post("9.3", "an unknown option", "Connection: foo", ok),
        post("9.3", "an empty Connection", "Connection:", ok),
        post("9.3", "close as a part of a word", "Connection: closed", ok),
        post("9.3", "close behind a semicolon", "Connection: a;close", ok),
        post("9.3", "close in another field", "Proxy-Connection: close", ok),
        ConformanceRow("9.3", "1.0 closes", "GET / HTTP/1.0\r\n\r\n" + end, "200 GET / , closed"),
        ConformanceRow(
            "9.3", "1.0 keeps if asked", "GET / HTTP/1.0\r\nConnection: x, Keep-Alive\r\n\r\n" + end,
            "200 GET / , 200 GET /end , closed"),
        ConformanceRow(
            "9.3", "1.0 closes if asked for both", "GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n" + end,
            "200 GET / , closed"),
        ConformanceRow(
            "9.3", "1.0 isn't kept by another field", "GET / HTTP/1.0\r\nProxy-Connection: keep-alive\r\n\r\n" + end,
            "200 GET / , closed"),
        ConformanceRow(
            "9.3", "1.2 keeps as 1.1", "GET / HTTP/1.2\r\nHost: h\r\n\r\n" + end, "200 GET / , 200 GET /end , closed"),
        ConformanceRow(
            "9.3.2", "requests of all kinds are answered in their order",
            "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n1GET /b HTTP/1.1\r\nHost: h\r\n\r\n"
                + "PUT /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n2\r\n0\r\n\r\n"
                + "DELETE /d HTTP/1.1\r\nHost: h\r\n\r\nOPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n" + end,
            "200 POST /a 1, 200 GET /b , 200 PUT /c 2, 200 DELETE /d , 200 OPTIONS * , 200 GET /end , closed"),
        ConformanceRow(
            "9.6", "nothing behind close is answered",
            "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n",
            "200 GET / , closed"),
        ConformanceRow(
            "9.6", "no mistake behind close counts",
            "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\nGET\r\n\r\n", "200 GET / , closed"),
        ConformanceRow(
            "9.6", "nothing behind a mistake is answered", "GET / HTTP/1.1\r\n\r\n" + end, refused),
        ConformanceRow(
            "9.6", "what came before a mistake is answered", "GET / HTTP/1.1\r\nHost: h\r\n\r\nGET /b\r\n\r\n" + end,
            "200 GET / , 400, closed"),
    ]
}

extension ConformanceRow {
    private static let refused = "400, closed"

    /// The outcome of a POST with this body.
    private static func body(_ text: String) -> String { "200 POST / \(text), 200 GET /end , closed" }

    /// Sections 6 and 8: where a body ends.
    static let bodies =
        [
            post("6.3", "neither length nor coding is no body", "A: b", body("")),
            post("6.3", "a length", "Content-Length: 3", "abc", body("abc")),
            post("6.3", "a length of no bytes", "Content-Length: 0", body("")),
            post("6.3", "a length with zeros before it", "Content-Length: 003", "abc", body("abc")),
            post("6.3", "a length with spaces around it", "Content-Length: \t3 ", "abc", body("abc")),
            post("6.3", "line ends in a body", "Content-Length: 4", "\r\n\r\n", body("\r\n\r\n")),
            post(
                "6.3", "a body that is a request", "Content-Length: 26", "GET /b HTTP/1.1\r\nHost: h\r\n",
                "200 POST / GET /b HTTP/1.1\r\nHost: h\r\n, 200 GET /end , closed"),
        ]
        + [
            "", "+3", "-3", "3.0", "0x3", "3;", "3,", ",3", "3, 3", "3,3", "3, 4", "3 3", "3a", "a", "1_0", "٣",
            "\"3\"", "3\t3",
            "- 3", "1e1", "three",
        ]
        .map { post("6.3", "the length \($0)", "Content-Length: \($0)", "abc", refused) }
        + [
            "16777217", "99999999999", "9223372036854775807", "9223372036854775808", "18446744073709551619",
            "99999999999999999999999999",
        ]
        .map { post("6.3", "the length \($0)", "Content-Length: \($0)", "413, closed") }
        + [
            post("6.3", "a length twice", "Content-Length: 3\r\nContent-Length: 3", "abc", refused),
            post("6.3", "two lengths", "Content-Length: 3\r\nContent-Length: 4", "abc", refused),
            post("6.3", "two lengths of no bytes", "Content-Length: 0\r\ncontent-length: 0", refused),
            post("6.1", "chunks", "Transfer-Encoding: chunked", "3\r\nabc\r\n0\r\n\r\n", body("abc")),
            post("6.1", "chunks in capitals", "TRANSFER-ENCODING: Chunked", "3\r\nabc\r\n0\r\n\r\n", body("abc")),
            post(
                "6.1", "chunks with empty members beside them", "Transfer-Encoding: ,chunked, ,", "0\r\n\r\n", body("")),
            post(
                "6.1", "an empty coding beside chunks", "Transfer-Encoding:\r\nTransfer-Encoding: chunked", "0\r\n\r\n",
                body("")),
            post("6.1", "chunks and a length", "Transfer-Encoding: chunked\r\nContent-Length: 3", "0\r\n\r\n", refused),
            post("6.1", "a length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n", refused),
            post(
                "6.1", "a bad length beside chunks", "Content-Length: x\r\nTransfer-Encoding: chunked", "0\r\n\r\n",
                refused),
            post("6.1", "a length beside another coding", "Content-Length: 0\r\nTransfer-Encoding: gzip", refused),
            post("6.1", "gzip, then chunks", "Transfer-Encoding: gzip, chunked", "501, closed"),
            post(
                "6.1", "an unknown coding, then chunks", "Transfer-Encoding: foo\r\nTransfer-Encoding: chunked",
                "501, closed"),
            ConformanceRow(
                "6.1", "chunks in 1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + end, refused),
            ConformanceRow(
                "6.1", "chunks in 1.0 that is kept",
                "POST / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + end,
                refused),
            ConformanceRow(
                "6.1", "chunks and a length in 1.0",
                "POST / HTTP/1.0\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + end, refused),
            ConformanceRow(
                "6.3", "a length in 1.0", "POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc" + end,
                "200 POST / abc, closed"),
        ]
        + [
            "chunked, chunked", "chunked,gzip", "chunked, identity", "gzip", "identity", "xchunked", "chunkedx",
            "chunk",
            "chunked;a=b", "chunked; a", "\"chunked\"", "'chunked'", "chunked chunked", "chun ked", "chunked\u{B}",
            "\u{C}chunked",
            "(a) chunked", "gzip chunked", "=chunked", "[chunked]", "", ",", "cow", "chun\u{212A}ed",
        ]
        .map { post("6.1", "the coding \($0)", "Transfer-Encoding: \($0)", "3\r\nabc\r\n0\r\n\r\n", refused) }
        + ["GET", "HEAD2", "DELETE", "OPTIONS", "TRACE", "PATCH", "X"].map { method in
            ConformanceRow(
                "9110 9.3", "a body of \(method)",
                "\(method) / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
                    + "\(method) / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nd\r\n0\r\n\r\n" + end,
                "200 \(method) / abc, 200 \(method) / d, 200 GET /end , closed")
        }

    /// Section 7: chunks.
    static let chunks =
        [
            chunks("7.1", "chunks are put together", "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", body("abc")),
            chunks("7.1", "no bytes", "0\r\n\r\n", body("")), chunks("7.1", "many zeros", "000\r\n\r\n", body("")),
            chunks(
                "7.1", "digits of both cases", "0a\r\n0123456789\r\n0A\r\n0123456789\r\n0\r\n\r\n",
                body("01234567890123456789")),
            chunks("7.1", "line ends in a chunk", "5\r\n\r\n0\r\n\r\n0\r\n\r\n", body("\r\n0\r\n")),
            chunks("7.1", "a chunk that is larger than a body may be", "1000001\r\n", "413, closed"),
            chunks("7.1", "a chunk of 64 bits", "ffffffffffffffff\r\n", "413, closed"),
            chunks("7.1", "a chunk of more than 64 bits", "10000000000000003\r\nabc\r\n", "413, closed"),
            chunks("7.1.1", "an extension", "3;a\r\nabc\r\n0;b\r\n\r\n", body("abc")),
            chunks("7.1.1", "extensions with values", "3;a=b;c=\"d;\\\"e\"\r\nabc\r\n0\r\n\r\n", body("abc")),
            chunks("7.1.1", "spaces in extensions", "3 ; a = b ;\tc\r\nabc\r\n0\r\n\r\n", body("abc")),
            chunks("7.1.1", "an empty value in quotes", "3;a=\"\"\r\nabc\r\n0\r\n\r\n", body("abc")),
            chunks("7.1.2", "trailers", "0\r\nA: b\r\nC:d\r\n\r\n", body("")),
            chunks("7.1.2", "a length as a trailer", "1\r\na\r\n0\r\nContent-Length: 50\r\n\r\n", body("a")),
            chunks("7.1.2", "a coding as a trailer", "1\r\na\r\n0\r\nTransfer-Encoding: gzip\r\n\r\n", body("a")),
            chunks("7.1.2", "a Host as a trailer", "1\r\na\r\n0\r\nHost: x\r\nConnection: close\r\n\r\n", body("a")),
        ]
        + [
            "\r\n", "g\r\n", "-1\r\na\r\n", "+1\r\na\r\n", "0x1\r\na\r\n", "1.\r\na\r\n", "1_0\r\n", " 1\r\na\r\n",
            "1 \r\na\r\n",
            "\t1\r\na\r\n", "1\t\r\na\r\n", "1\u{B}\r\na\r\n", "1\0\r\na\r\n", "\"1\"\r\na\r\n", "１\r\na\r\n",
            "1h\r\na\r\n", "1 2\r\na\r\n",
            "1,1\r\na\r\n", ";a\r\na\r\n",
        ].map { chunks("7.1", "the size \($0.debugDescription)", $0 + "\r\n0\r\n\r\n", refused) }
        + [
            ";", ";;a", ";a=", ";=b", ";a b", ";a=b c", ";a=\"b", ";a=b\"", ";a=\"b\"c", ";a=\"b\\", ";a(b)", ";é=b",
            ";a=\u{1}", ";a=\"\u{1}\"", ";a=\"\0\"", ";a\u{7F}", " a", "=a", ";a;", ";a,b",
        ].map { chunks("7.1.1", "the extension \($0.debugDescription)", "1\($0)\r\na\r\n0\r\n\r\n", refused) }
        + [
            ("LF behind a size", "1\na\r\n0\r\n\r\n"), ("LF behind a chunk", "1\r\na\n0\r\n\r\n"),
            ("LF behind the last chunk", "0\n\r\n"),
            ("LF behind trailers", "0\r\nA: b\r\n\n"), ("LF behind a trailer", "0\r\nA: b\n\r\n"),
            ("LF at the end", "0\r\n\n"),
            ("CR behind a size", "1\ra\r\n0\r\n\r\n"), ("CR, CR and LF behind a size", "1\r\r\na\r\n0\r\n\r\n"),
            ("CR behind a chunk", "1\r\na\r0\r\n\r\n"), ("no end of a chunk", "1\r\na0\r\n\r\n"),
            ("a chunk that is too long", "1\r\nab\r\n0\r\n\r\n"),
            ("a chunk that is too short", "3\r\nab\r\n0\r\n\r\n"), ("a space behind a chunk", "1\r\na \r\n0\r\n\r\n"),
            ("an empty line between chunks", "1\r\na\r\n\r\n0\r\n\r\n"),
            ("LF in an extension", "1;a\nb\r\na\r\n0\r\n\r\n"),
            ("LF in a quoted extension", "1;a=\"\n\"\r\na\r\n0\r\n\r\n"),
            ("CR in an extension", "1;a\rb\r\na\r\n0\r\n\r\n"),
            ("a trailer without a colon", "0\r\nA\r\n\r\n"),
            ("a trailer with a space before its colon", "0\r\nA : b\r\n\r\n"),
            ("a folded trailer", "0\r\nA: b\r\n c\r\n\r\n"), ("a folded first trailer", "0\r\n A: b\r\n\r\n"),
            ("a trailer with NUL", "0\r\nA: \0\r\n\r\n"), ("a trailer without a name", "0\r\n: b\r\n\r\n"),
            ("CR in a trailer", "0\r\nA: b\rC: d\r\n\r\n"),
            ("a request in place of trailers", "0\r\nGET /b HTTP/1.1\r\n\r\n"),
        ].map { chunks("7.1", $0.0, $0.1, refused) }
}

extension ConformanceRow {
    private static let ok = "200 GET / , 200 GET /end , closed"
    private static let refused = "400, closed"

    /// Sections 2 and 3: lines, versions, methods and targets.
    static let requestLines = [
        // 2.1 and 2.2: parsing
        ConformanceRow("2.1", "a message begins with a start line", "Host: h\r\n\r\n", refused),
        ConformanceRow("2.2", "one empty line is passed over", "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n" + end, ok),
        ConformanceRow("2.2", "two empty lines are not", "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", refused),
        ConformanceRow("2.2", "an empty line of LF", "\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", refused),
        ConformanceRow(
            "2.2", "one empty line between requests", "GET / HTTP/1.1\r\nHost: h\r\n\r\n\r\n" + end, ok),
        ConformanceRow("2.2", "LF alone behind the request line", "GET / HTTP/1.1\nHost: h\r\n\r\n", refused),
        ConformanceRow("2.2", "LF alone behind a field", "GET / HTTP/1.1\r\nHost: h\nA: b\r\n\r\n", refused),
        ConformanceRow("2.2", "LF alone behind the fields", "GET / HTTP/1.1\r\nHost: h\r\n\n", refused),
        ConformanceRow("2.2", "CR alone behind the request line", "GET / HTTP/1.1\rHost: h\r\n\r\n", refused),
        ConformanceRow("2.2", "CR before CR and LF", "GET / HTTP/1.1\r\r\nHost: h\r\n\r\n", refused),
        ConformanceRow("2.2", "CR in a method", "G\rET / HTTP/1.1\r\nHost: h\r\n\r\n", refused),
        ConformanceRow("2.2", "CR in a target", "GET /\ra HTTP/1.1\r\nHost: h\r\n\r\n", refused),
        ConformanceRow("2.2", "CR in a field's name", "GET / HTTP/1.1\r\nHost: h\r\nA\rB: c\r\n\r\n", refused),
        ConformanceRow("2.2", "CR in a value", "GET / HTTP/1.1\r\nHost: h\r\nA: b\rc\r\n\r\n", refused),
        ConformanceRow("2.2", "CR at the end of a value", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\r\n\r\n", refused),
        ConformanceRow("2.2", "a space before the first field", "GET / HTTP/1.1\r\n Host: h\r\n\r\n", refused),
        ConformanceRow("2.2", "a tab before the first field", "GET / HTTP/1.1\r\n\tHost: h\r\n\r\n", refused),
        ConformanceRow(
            "2.2", "a line of a space behind the start line", "GET / HTTP/1.1\r\n \r\nHost: h\r\n\r\n", refused),
        ConformanceRow("2.2", "a space before the start line", " GET / HTTP/1.1\r\nHost: h\r\n\r\n", refused),
        // 2.3: versions
        line("2.3", "GET / HTTP/1.1", ok), line("2.3", "GET / HTTP/1.9", ok),
        line("2.3", "GET / HTTP/0.9", "505, closed"),
        line("2.3", "GET / HTTP/2.0", "505, closed"), line("2.3", "GET / HTTP/3.0", "505, closed"),
        line("2.3", "GET / HTTP/9.9", "505, closed"), line("2.3", "GET / http/1.1", refused),
        line("2.3", "GET / Http/1.1", refused), line("2.3", "GET / HTTP/1.01", refused),
        line("2.3", "GET / HTTP/01.1", refused), line("2.3", "GET / HTTP/11.1", refused),
        line("2.3", "GET / HTTP/1", refused), line("2.3", "GET / HTTP/1.", refused),
        line("2.3", "GET / HTTP/.1", refused),
        line("2.3", "GET / HTTP/1,1", refused), line("2.3", "GET / HTTP1.1", refused),
        line("2.3", "GET / HTTP/ 1.1", refused),
        line("2.3", "GET / HTTP/-1.1", refused), line("2.3", "GET / HTTP/+1.1", refused),
        line("2.3", "GET / HTTP/1.1x", refused),
        line("2.3", "GET / HTTPS/1.1", refused), line("2.3", "GET / XTTP/1.1", refused),
        line("2.3", "GET / HTTP/1.１", refused),
        // 3: the request line
        line("3", "GET /", refused), line("3", "GET", refused), line("3", "/ HTTP/1.1", refused),
        line("3", " / HTTP/1.1", refused),
        line("3", "GET  HTTP/1.1", refused), line("3", "GET  / HTTP/1.1", refused),
        line("3", "GET /  HTTP/1.1", refused),
        line("3", "GET / HTTP/1.1 ", refused), line("3", "GET\t/ HTTP/1.1", refused),
        line("3", "GET /\tHTTP/1.1", refused),
        line("3", "GET\u{B}/ HTTP/1.1", refused), line("3", "GET /\u{C}HTTP/1.1", refused),
        line("3", "GET / a HTTP/1.1", refused),
        line("3", "GET\u{A0}/ HTTP/1.1", refused), line("3", "GET /\0 HTTP/1.1", refused),
        line("3", "\0GET / HTTP/1.1", refused),
        // 3.1: methods are tokens, and case counts
        line("3.1", "get / HTTP/1.1", "200 get / , 200 GET /end , closed"),
        line("3.1", "PATCH / HTTP/1.1", "200 PATCH / , 200 GET /end , closed"),
        line("3.1", "M-SEARCH / HTTP/1.1", "200 M-SEARCH / , 200 GET /end , closed"),
        line("3.1", "TRACE / HTTP/1.1", "200 TRACE / , 200 GET /end , closed"),
        line("3.1", "123 / HTTP/1.1", "200 123 / , 200 GET /end , closed"), line("3.1", "GE:T / HTTP/1.1", refused),
        line("3.1", "GET, / HTTP/1.1", refused), line("3.1", "\"GET\" / HTTP/1.1", refused),
        line("3.1", "GÉT / HTTP/1.1", refused),
        line("3.1", "G/T / HTTP/1.1", refused), line("3.1", "G=T / HTTP/1.1", refused),
        // 3.2.1 to 3.2.4: forms of the target
        line("3.2.1", "GET /a/b;c=d?e=f/g?h HTTP/1.1", "200 GET /a/b;c=d , 200 GET /end , closed"),
        line("3.2.1", "GET ?a HTTP/1.1", refused), line("3.2.1", "GET a HTTP/1.1", refused),
        line("3.2.1", "GET /a#b HTTP/1.1", refused), line("3.2.1", "GET /é HTTP/1.1", refused),
        line("3.2.1", "GET //a HTTP/1.1", "200 GET //a , 200 GET /end , closed"),
        line("3.2.1", "GET /http://a/b HTTP/1.1", "200 GET /http://a/b , 200 GET /end , closed"),
        line("3.2.2", "GET http://a/b HTTP/1.1", "200 GET /b , 200 GET /end , closed"),
        line("3.2.2", "GET HTTP://A/b HTTP/1.1", "200 GET /b , 200 GET /end , closed"),
        line("3.2.2", "GET https://a:8443/b?c HTTP/1.1", "200 GET /b , 200 GET /end , closed"),
        line("3.2.2", "GET http://a HTTP/1.1", ok), line("3.2.2", "GET http://a?b HTTP/1.1", ok),
        line("3.2.2", "GET http://[::1]:80/ HTTP/1.1", ok), line("3.2.2", "GET http:///b HTTP/1.1", refused),
        line("3.2.2", "GET http://:80/ HTTP/1.1", refused), line("3.2.2", "GET http:/b HTTP/1.1", refused),
        line("3.2.2", "GET http:b HTTP/1.1", refused), line("3.2.2", "GET http://a:99999/ HTTP/1.1", refused),
        line("3.2.2", "GET http://a:b/ HTTP/1.1", refused), line("3.2.2", "GET http://u@a/ HTTP/1.1", refused),
        line("3.2.2", "GET http://a/b#c HTTP/1.1", refused), line("3.2.2", "GET ws://a/ HTTP/1.1", refused),
        line("3.2.2", "GET file:///etc HTTP/1.1", refused),
        ConformanceRow("3.2.2", "an absolute target and no Host", "GET http://a/ HTTP/1.1\r\n\r\n", refused),
        line("3.2.3", "CONNECT h:80 HTTP/1.1", "501, closed"), line("3.2.3", "CONNECT / HTTP/1.1", "501, closed"),
        line("3.2.3", "GET h:80 HTTP/1.1", refused),
        line("3.2.4", "OPTIONS * HTTP/1.1", "200 OPTIONS * , 200 GET /end , closed"),
        line("3.2.4", "OPTIONS http://a HTTP/1.1", "200 OPTIONS * , 200 GET /end , closed"),
        line("3.2.4", "OPTIONS http://a/ HTTP/1.1", "200 OPTIONS / , 200 GET /end , closed"),
        line("3.2.4", "OPTIONS /* HTTP/1.1", "200 OPTIONS /* , 200 GET /end , closed"),
        line("3.2.4", "OPTIONS *?a HTTP/1.1", refused), line("3.2.4", "GET * HTTP/1.1", refused),
        line("3.2.4", "options * HTTP/1.1", refused),
    ]

    /// Section 3.2: Host.
    static let hosts =
        [
            "h:80", "h:", "h:65535", "a.example.", "x.localhost", "1.2.3.4:80", "a_b-c~d", "a%41", "[::1]", "[::]",
            "[::1]:80", "[1:2:3:4:5:6:7:8]", "[::ffff:1.2.3.4]", "[1::8]", "[1:2:3:4:5:6:7::]",
        ]
        .map { host($0, ok) }
        + [
            "", ":80", "h h", "h\th", "h/", "http://h", "u@h", "h?", "h#", "h:x", "h:-1", "h:65536", "h:080000",
            "h:80:80",
            "[::1", "::1", "[]", "[::g]", "[:::1]", "[1::2::3]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]", "[12345::]",
            "[::1.2.3]", "[::1.2.3.256]", "[::01.2.3.4]", "[1:]", "[::1]x", "[fe80::1%25lo]", "[v1.a]", "h%4", "h%zz",
            "h\"", "h<", "h\\", "h^", "h|", "é", "h\u{1}", "h\u{7F}",
        ]
        .map { host($0, refused) }
        + [
            ConformanceRow("3.2", "no Host", "GET / HTTP/1.1\r\nA: b\r\n\r\n", refused),
            ConformanceRow("3.2", "a Host twice", "GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", refused),
            ConformanceRow("3.2", "two Hosts", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\nhost: i\r\n\r\n", refused),
            ConformanceRow("3.2", "two Hosts in 1.0", "GET / HTTP/1.0\r\nHost: h\r\nHost: i\r\n\r\n", refused),
            ConformanceRow("3.2", "a bad Host in 1.0", "GET / HTTP/1.0\r\nHost: h/i\r\n\r\n", refused),
            ConformanceRow("3.2", "no Host in 1.0", "GET / HTTP/1.0\r\nA: b\r\n\r\n", "200 GET / , closed"),
            ConformanceRow("3.2", "a Host with spaces around it", "GET / HTTP/1.1\r\nHOST: \t h \t\r\n\r\n" + end, ok),
        ]
}

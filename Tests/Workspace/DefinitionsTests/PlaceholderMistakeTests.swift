import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// What stands between `{{` and `}}`.
@Suite struct PlaceholderMistakeTests {
    @Test("each bad placeholder is told at its place inside the string", arguments: mistakes)
    func isTold(_ mistake: Mistake) {
        #expect(lines(mistake.workspace.validate().diagnostics) == mistake.expectedLines)
    }

    static let mistakes: [Mistake] = [
        .endpoint(
            "a part of the request where it isn't known",
            #"{"path": "/⟦{{$method}}⟧", "headers": {"A": "{{ ⟦$body⟧ | sha256 | hex }}", "B": "⟦{{$header.Date}}⟧"}}"#,
            .error(.placeholderInvalid, #""{{$method}}" has a value only in "auth.hmac""#),
            .error(.placeholderInvalid, #""{{$body}}" has a value only in "auth.hmac""#),
            .error(.placeholderInvalid, #""{{$header.Date}}" has a value only in "auth.hmac""#)),
        .environment(
            "a signature of a signature, or a key made of the request",
            #"{"auth": {"hmac": {"key": "⟦{{$body}}⟧", "sign": "⟦{{$signature}}⟧", "headers": {"X": "{{$signature}}"}}}}"#,
            .error(.placeholderInvalid, #""{{$body}}" has a value only in "auth.hmac""#),
            .error(
                .placeholderInvalid, #""{{$signature}}" has a value only in "headers" and "query" of "auth.hmac""#)),
        .environment(
            "a part of the request, misspelt",
            #"{"auth": {"hmac": {"key": "k", "sign": "⟦{{$methd}}⟧", "headers": {"X": "{{$signature}}"}}}}"#,
            .error(
                .placeholderInvalid, #"unknown placeholder "{{$methd}}""#, hint: #"did you mean "$method"?"#)),
        .endpoint(
            "one that is never closed", #"{"path": "/a/⟦{{⟧id}/b"}"#,
            .error(
                .placeholderInvalid, "this placeholder is never closed",
                hint: #"add }}, or write \\{{ for a literal {{"#)),
        .endpoint(
            "an empty one", #"{"path": "/a/⟦{{ }}⟧"}"#,
            .error(
                .placeholderInvalid, "this placeholder is empty",
                hint:
                    #"write {{name}}, {{secret.name}}, {{alias.capture}} or {{$uuid}}; or write \\{{ for a literal {{"#
            )),
        .endpoint(
            "one with too many parts, behind escapes and wide characters",
            #"{"path": "/\u00e9\"é👩‍🚀\uD83D\uDE00/⟦{{a.b.c}}⟧"}"#,
            .error(
                .placeholderInvalid, #""{{a.b.c}}" is not a placeholder"#,
                hint:
                    #"write {{name}}, {{secret.name}}, {{alias.capture}} or {{$uuid}}; or write \\{{ for a literal {{"#
            )),
        .endpoint(
            "one that is written with escapes", #"{"path": "/⟦\u007b{a b}\u007D⟧"}"#,
            .error(
                .placeholderInvalid, #""{{a b}}" is not a placeholder"#,
                hint:
                    #"write {{name}}, {{secret.name}}, {{alias.capture}} or {{$uuid}}; or write \\{{ for a literal {{"#
            )),
        .endpoint(
            "two in one text", #"{"path": "/⟦{{$uid}}⟧/x/⟦{{$Timestamp}}⟧"}"#,
            .error(
                .placeholderInvalid, #"unknown placeholder "{{$uid}}""#, hint: #"did you mean "$uuid"?"#),
            .error(
                .placeholderInvalid, #"unknown placeholder "{{$Timestamp}}""#, hint: #"did you mean "$timestamp"?"#)),
        .endpoint(
            "a generated value that there isn't", #"{"path": "/⟦{{$weather}}⟧"}"#,
            .error(
                .placeholderInvalid, #"unknown placeholder "{{$weather}}""#,
                hint: "available: $uuid, $timestamp, $isoTimestamp, $randomInt, $env.NAME")),
        .endpoint(
            "a variable of the process with a bad name", #"{"path": "/⟦{{$env.MY-HOME}}⟧"}"#,
            .error(
                .placeholderInvalid, #""MY-HOME" can't be the name of an environment variable"#,
                hint: "write {{$env.NAME}}")),
        .endpoint(
            "one in a key", #"{"body": {"json": {"a ⟦{{⟧key}}": 1}}}"#,
            .error(
                .placeholderInvalid, "placeholders are not replaced in keys",
                hint: #"write the text without placeholders, or write \\{{ for a literal {{"#)),
        .endpoint(
            "one in the name of a query item, behind an escaped one", #"{"query": {"\\{{a}} ⟦{{⟧$uuid}}": 1}}"#,
            .error(
                .placeholderInvalid, "placeholders are not replaced in the name of a query item",
                hint: #"write the text without placeholders, or write \\{{ for a literal {{"#)),
        .endpoint(
            "one in the name of a form field", #"{"body": {"form": {"⟦{{⟧$uuid}}": 1}}}"#,
            .error(
                .placeholderInvalid, "placeholders are not replaced in the name of a form field",
                hint: #"write the text without placeholders, or write \\{{ for a literal {{"#)),
        .endpoint(
            "one in the name of a part", #"{"body": {"multipart": {"⟦{{⟧$uuid}}": {"text": "x"}}}}"#,
            .error(
                .placeholderInvalid, "placeholders are not replaced in the name of a part",
                hint: #"write the text without placeholders, or write \\{{ for a literal {{"#)),
        .environment(
            "one in the name of the query item of auth",
            #"{"query": {"⟦{{⟧a": 1}, "auth": {"apiKey": {"query": "⟦{{⟧$uuid}}", "value": "v"}}}"#,
            .error(
                .placeholderInvalid, "placeholders are not replaced in the name of a query item",
                hint: #"write the text without placeholders, or write \\{{ for a literal {{"#),
            .error(
                .placeholderInvalid, "placeholders are not replaced in the name of a query item",
                hint: #"write the text without placeholders, or write \\{{ for a literal {{"#)),
        .endpoint(
            "one in a JSONPath", #"{"expect": {"json": {"$.items[?@.id == '⟦{{⟧$uuid}}']": 1}}}"#,
            .error(
                .placeholderInvalid, "placeholders are not replaced in JSONPaths",
                hint: #"write the text without placeholders, or write \\u007B{ for a literal {{"#)),
        .endpoint(
            "one in a case of a $switch", #"{"query": {"a": {"$switch": "{{$uuid}}", "⟦{{⟧$uuid}}": 1}}}"#,
            .error(
                .placeholderInvalid, "placeholders are not replaced in the cases of a $switch",
                hint: #"write the text without placeholders, or write \\{{ for a literal {{"#)),
        .endpoint(
            "one in a header of a stub",
            #"{"stubs": {"variants": {"a": {"sequence": [{"headers": {"A": "⟦{{$uuid}}⟧"}}]}}}}"#,
            .error(
                .placeholderInvalid, "a stub's headers can't have placeholders",
                hint: #"add "fill": true to the variant, or write \\{{ for a literal {{"#)),
        .environment(
            "one in a port, told once", #"{"port": "⟦{{a b}}⟧"}"#,
            .error(
                .placeholderInvalid, #""{{a b}}" is not a placeholder"#,
                hint:
                    #"write {{name}}, {{secret.name}}, {{alias.capture}} or {{$uuid}}; or write \\{{ for a literal {{"#
            )),
        .endpoint(
            "a function that there isn't, behind escapes and another function",
            #"{"path": "/\u00e9{{ $uuid | lower | ⟦uper⟧ }}"}"#,
            .error(
                .placeholderInvalid, #"there is no function "uper""#, hint: #"did you mean "upper"?"#)),
        .endpoint(
            "a function of another type", #"{"headers": {"A": "{{$now | iso | ⟦startOf⟧ day}}"}}"#,
            .error(
                .placeholderInvalid, "startOf takes a time, but gets text",
                hint:
                    "functions for text: upper lower trim replace slice split pad length base64 base64url hex url fromURL form json fromJSON plus minus times over round text at lines"
            )),
        .endpoint(
            "bytes that are not turned into text", #"{"body": {"json": ["{{$uuid | ⟦sha256⟧}}"]}}"#,
            .error(
                .placeholderInvalid, "sha256 gives bytes, which must be turned into text",
                hint: "add one of: length base64 base64url hex utf8")),
        .endpoint(
            "unknown names in a placeholder with functions",
            #"{"params": {"name": {"type": "string"}}, "path": "/{{⟦nam⟧ | default ⟦secret.key⟧ | default name}}"}"#,
            .error(
                .valueUnresolved, #""{{nam}}" is neither a param nor a variable of any environment"#,
                hint: #"did you mean "name"?"#),
            .error(.secretUnknown, #"no environment has a secret "key""#, hint: #"add it to "secrets""#)),
        .endpoint(
            "a function that there isn't in a filled stub",
            #"{"stubs": {"variants": {"a": {"fill": true, "json": ["{{request.body.$.id | ⟦uper⟧}}"]}}}}"#,
            .error(.placeholderInvalid, #"there is no function "uper""#, hint: #"did you mean "upper"?"#)),
        .endpoint(
            "none where a $switch decides", #"{"query": {"a": {"$switch": ⟦"true"⟧, "true": 1}}}"#,
            .error(
                .valueInvalid, #""$switch" takes a placeholder, whose value selects the case; found "true""#,
                hint: #"write "{{name}}""#)
        ),
    ]

    @Test("a text is cut into literals and placeholders, each with its place")
    func pieces() throws {
        let text: MarkedText = #"{"path": "a\n⟦{{ id }}⟧\\{{b}}⟦{{$uuid}}⟧{"}"#
        let workspace = Workspace.inMemory([
            ("endpoints/a.json", text.text), ("environments/e.json", #"{"variables": {"id": 1}}"#),
        ])
        #expect(lines(workspace.validate().diagnostics) == [])
        guard case .found(let endpoint) = workspace.endpoint("a").value,
            case .text(let template)? = endpoint.definition.request.path?.set
        else {
            Issue.record("the path is not there")
            return
        }
        let shown = template.pieces.map { piece in
            switch piece {
            case .literal(let text): text
            case .placeholder(let placeholder): "<\(placeholder.value.text)>"
            }
        }
        #expect(shown == ["a\n", "<id>", "{{b}}", "<$uuid>", "{"])
        #expect(template.placeholders.map(\.place.range) == text.ranges)
        #expect(template.source == #"a"# + "\n" + #"{{id}}\{{b}}{{$uuid}}{"#)
    }

    @Test("a text that is one placeholder knows it, longer text does not")
    func onlyPlaceholder() {
        let workspace = Workspace.inMemory([
            ("endpoints/a.json", #"{"body": {"json": ["{{$uuid}}", " {{$uuid}}", "", "\\{{x}}"]}}"#)
        ])
        guard case .found(let endpoint) = workspace.endpoint("a").value,
            case .json(.list(let elements, _))? = endpoint.definition.request.body?.set?.content
        else {
            Issue.record("the body is not there")
            return
        }
        let texts = elements.flatMap(\.texts)
        #expect(texts.map { $0.onlyPlaceholder?.value } == [.generated(.uuid), nil, nil, nil])
        #expect(texts.map(\.literal) == [nil, nil, "", "{{x}}"])
        #expect(elements.map { $0.literal } == [nil, nil, .string(""), .string("{{x}}")])
        #expect(elements[3].source == .string(#"\{{x}}"#))
    }
}

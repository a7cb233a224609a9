import ReqcliDefinitions
import ReqcliOpenAPI
import ReqcliRedaction
import ReqcliText

extension OpenAPIReader {
    /// The number of optional members that become params.
    private static let mostOptional = 20

    /// Adds the body. If the description has several media types, takes the one that endpoints support best.
    mutating func add(_ body: OpenAPIBody, to request: inout ImportedRequest, _ draft: inout OperationDraft) {
        let ranked = body.contents.enumerated().sorted {
            (Self.rank($0.element), $0.offset) < (Self.rank($1.element), $1.offset)
        }.map(\.element)
        guard let content = ranked.first else { return }
        for other in ranked.dropFirst() where Self.rank(other) != Self.rank(content) || Self.rank(other) == 4 {
            note(.lost, "a body has several media types: only one is used", other.mediaType, at: other.place)
        }
        noteExternal(content.examples)
        switch Self.rank(content) {
        case 0, 1: addJSON(content, body, to: &request, &draft)
        case 2: addFields(content, body, to: &request, &draft)
        case 3: addParts(content, body, to: &request, &draft)
        default: addText(content, body, to: &request, &draft)
        }
    }

    private static func rank(_ content: OpenAPIContent) -> Int {
        switch content.plainType {
        case "application/json", "*/*", "application/*": 0
        case "application/x-www-form-urlencoded": 2
        case "multipart/form-data": 3
        case _ where content.isJSON: 1
        default: 4
        }
    }

    // MARK: JSON

    private mutating func addJSON(
        _ content: OpenAPIContent, _ body: OpenAPIBody, to request: inout ImportedRequest, _ draft: inout OperationDraft
    ) {
        if content.isJSON, content.mediaType != "application/json" { addType(content.mediaType, to: &request) }
        let shape = document.shape(of: content.schema)
        guard let members = members(of: shape) else {
            let type = paramType(of: content.schema, shape, in: .json, title: "body")
            let name = addWhole(type, content, body, shape, to: &draft)
            request.body = .json(.string("{{\(name)}}"))
            return
        }
        var json: [OrderedJSON.Member] = []
        let samples = Dictionary(
            (shape.example?.members.map { ($0.name, $0.value) }) ?? [], uniquingKeysWith: { $1 })
        for member in members {
            let key = TextTemplate.escaped(member.name)
            if let fixed = member.fixed {
                json.append(OrderedJSON.Member(key, fixed))
                continue
            }
            let type = paramType(of: member.schema, member.shape, in: .json, title: member.name)
            let example = samples[member.name]
            json.append(
                OrderedJSON.Member(key, .string("{{\(add(member, type, content, example: example, to: &draft))}}")))
        }
        request.body = .json(.object(json))
        // Without a name, the type of the body would only repeat the params. As the schema of responses, it isn't made to accept
        // objects without the members that only responses have.
        if options.hasSchemas, let schema = content.schema?.reference,
            case .string(let name)? = catalog.schema(schema, .response, title: "body", in: &document)
        {
            request.bodySchema = .string(name)
        }
    }

    /// The members of a body that become params; nil if the body isn't an object, or if the caller should give the body as a
    /// whole.
    private mutating func members(of shape: SchemaShape) -> [BodyMember]? {
        guard shape.type == "object" || shape.types.isEmpty, !shape.properties.isEmpty, shape.alternatives.isEmpty
        else {
            return nil
        }
        var required: [BodyMember] = []
        var optional: [BodyMember] = []
        for property in shape.properties {
            let isRequired = shape.required.contains(property.name)
            if !isRequired, optional.count >= Self.mostOptional {
                note(
                    .lost, "a body has more than \(Self.mostOptional) optional members; the others are left out",
                    property.name,
                    at: property.key.place)
                continue
            }
            let inner = document.shape(of: property.value)
            if inner.isReadOnly { continue }
            if property.name == "$switch" { return nil }
            var member = BodyMember(property, inner, isRequired: isRequired)
            if isRequired, let allowed = inner.allowed, allowed.count == 1, inner.type != "object",
                inner.type != "array"
            {
                // Only one value is possible, so the member needs no param.
                member.fixed = OrderedJSON(allowed[0]).escapingBraces
            }
            if isRequired { required.append(member) } else { optional.append(member) }
        }
        return required.isEmpty && optional.isEmpty ? nil : required + optional
    }

    private mutating func add(
        _ member: BodyMember, _ type: ParamType, _ content: OpenAPIContent, example: JSONValue? = nil,
        to draft: inout OperationDraft
    ) -> String {
        let clean = ParamNames.clean(member.name)
        // If an id is both in the path and in the body, both places use the same param.
        if clean == member.name, let shared = draft.shared(clean, type) { return shared }
        let examples = content.examples.compactMap { $0.value?[member.name] } + [example].compactMap(\.self)
        let param = param(
            member.name, type, member.schema, member.shape, isRequired: member.isRequired,
            isSecret: type.kind != .file && LikelySecret.isName(member.name), examples: examples)
        let name = draft.add(param, from: "body")
        if let schema = type.schema {
            samples.append(
                SampleCheck(
                    request: draft.index, kind: .param(name), schema: schema, source: member.schema, place: member.place
                ))
        }
        return name
    }

    /// Adds a param for a body that is given as one value.
    private mutating func addWhole(
        _ type: ParamType, _ content: OpenAPIContent, _ body: OpenAPIBody, _ shape: SchemaShape,
        to draft: inout OperationDraft
    ) -> String {
        let param = param(
            "body", type, content.schema, shape, isRequired: body.isRequired, description: body.description,
            examples: content.examples.compactMap { $0.value.map { parsed($0, for: type) } })
        let name = draft.add(param, from: "body")
        if let schema = type.schema {
            samples.append(
                SampleCheck(
                    request: draft.index, kind: .param(name), schema: schema, source: content.schema,
                    place: content.place))
        }
        return name
    }

    private func parsed(_ value: JSONValue, for type: ParamType) -> JSONValue {
        type.kind == .json ? value.parsedJSON ?? value : value
    }

    private func addType(_ type: String, to request: inout ImportedRequest) {
        if !type.contains("*") { request.headers.add("Content-Type", .literal(type)) }
    }

    // MARK: Forms

    /// The members of a form: the members of its schema, or the form's fields in Swagger 2.0.
    private mutating func formMembers(of content: OpenAPIContent) -> [BodyMember]? {
        if content.fields.isEmpty { return members(of: document.shape(of: content.schema)) }
        var members: [BodyMember] = []
        for field in content.fields {
            var member = BodyMember(field, document.shape(of: field.schema))
            member.field = field
            members.append(member)
        }
        return members
    }

    private mutating func addFields(
        _ content: OpenAPIContent, _ body: OpenAPIBody, to request: inout ImportedRequest, _ draft: inout OperationDraft
    ) {
        guard let members = formMembers(of: content) else {
            addType(content.mediaType, to: &request)
            return addWholeText(content, body, to: &request, &draft)
        }
        var fields: [OrderedJSON.Member] = []
        for member in members.flatMap({ nested($0, content) }) {
            var type = paramType(of: member.schema, member.shape, in: .text, title: member.name)
            if type.kind == .file { type = ParamType(.string) }
            let encoding = content.encoding?[member.name]
            var wire = TextTemplate.escaped(member.name)
            if encoding?["style"]?.string == "deepObject" {
                if type.kind == .list { wire += "[]" }
                note(
                    .approximated,
                    type.kind == .list
                        ? "a list in the style deepObject repeats its name with []"
                        : "an object in a form is sent as JSON text", member.name, at: member.place)
            } else if type.kind == .json {
                note(.approximated, "an object in a form is sent as JSON text", member.name, at: member.place)
            }
            if type.kind == .list {
                let isExploded = member.field?.isExploded ?? encoding?["explode"]?.bool ?? true
                if !isExploded { type.join = "," }
            }
            fields.append(
                OrderedJSON.Member(wire, member.fixed ?? .string("{{\(add(member, type, content, to: &draft))}}")))
        }
        request.body = .form(fields.uniqued)
    }

    /// The members of an object in a form, if the form writes them like `card[number]`.
    private mutating func nested(_ member: BodyMember, _ content: OpenAPIContent) -> [BodyMember] {
        guard content.encoding?[member.name]?["style"]?.string == "deepObject", member.shape.type == "object",
            (1...Self.mostOptional).contains(member.shape.properties.count)
        else { return [member] }
        return member.shape.properties.map { property in
            let isRequired = member.isRequired && member.shape.required.contains(property.name)
            var inner = BodyMember(property, document.shape(of: property.value), isRequired: isRequired)
            inner.name = "\(member.name)[\(property.name)]"
            return inner
        }
    }

    private mutating func addParts(
        _ content: OpenAPIContent, _ body: OpenAPIBody, to request: inout ImportedRequest, _ draft: inout OperationDraft
    ) {
        guard let members = formMembers(of: content) else {
            note(.lost, "a multipart body without described parts is not converted", at: content.place)
            return
        }
        var parts: [OrderedJSON.Member] = []
        for member in members {
            var type = paramType(of: member.schema, member.shape, in: .part, title: member.name)
            let items = document.shape(of: member.shape["items"])
            if type.kind == .list, items.isBinary {
                type = ParamType(.file)
                note(.approximated, "a body can have several files: only one is sent", member.name, at: member.place)
            }
            let value = member.fixed ?? .string("{{\(add(member, type, content, to: &draft))}}")
            let stated = content.encoding?[member.name]?["contentType"]?.string
            let media = stated.flatMap { $0.contains(",") || $0.contains("*") ? nil : $0 }
            let isFile = type.kind == .file
            let part = OrderedJSON.part(
                text: isFile ? nil : value, file: isFile ? value.scalarText : nil,
                contentType: (media ?? (type.kind == .json ? "application/json" : nil)).map { TextTemplate.escaped($0) }
            )
            parts.append(OrderedJSON.Member(TextTemplate.escaped(member.name), part))
        }
        request.body = .multipart(parts.uniqued)
    }

    // MARK: Other bodies

    private mutating func addText(
        _ content: OpenAPIContent, _ body: OpenAPIBody, to request: inout ImportedRequest, _ draft: inout OperationDraft
    ) {
        let shape = document.shape(of: content.schema)
        let isText = content.plainType.hasPrefix("text/") || content.plainType.hasSuffix("xml")
        if isText && !shape.isBinary {
            if content.mediaType != "text/plain" { addType(content.mediaType, to: &request) }
            return addWholeText(content, body, to: &request, &draft)
        }
        if content.mediaType != "application/octet-stream" { addType(content.mediaType, to: &request) }
        let name = draft.add(
            param(
                "body", ParamType(.file), nil, SchemaShape(), isRequired: body.isRequired,
                description: body.description), from: "body")
        request.body = .file("{{\(name)}}")
    }

    private mutating func addWholeText(
        _ content: OpenAPIContent, _ body: OpenAPIBody, to request: inout ImportedRequest, _ draft: inout OperationDraft
    ) {
        // The schema of an object contains no example of the object's XML text, so the schema is ignored.
        var shape = document.shape(of: content.schema)
        if shape.type != "string" { shape = SchemaShape() }
        let name = draft.add(
            param(
                "body", ParamType(.string), nil, shape, isRequired: body.isRequired, description: body.description,
                examples: content.examples.compactMap(\.value)), from: "body")
        request.body = .text("{{\(name)}}")
    }
}

/// A member of a body that becomes a param.
private struct BodyMember {
    var name: String
    let schema: JSONValue?
    let shape: SchemaShape
    let isRequired: Bool
    let place: Place
    /// The only value that the member may have.
    var fixed: OrderedJSON?
    var field: OpenAPIParameter?

    init(_ property: JSONValue.Member, _ shape: SchemaShape, isRequired: Bool) {
        name = property.name
        schema = property.value
        self.shape = shape
        self.isRequired = isRequired
        place = property.key.place
    }

    init(_ field: OpenAPIParameter, _ shape: SchemaShape) {
        name = field.name
        schema = field.schema
        self.shape = shape
        isRequired = field.isRequired
        place = field.place
        self.field = field
    }
}

extension [OrderedJSON.Member] {
    /// The members. If several members have the same name, only the first one is included.
    fileprivate var uniqued: Self {
        var names: Set<String> = []
        return filter { names.insert($0.name).inserted }
    }
}

extension JSONValue {
    /// The reference to a schema with a name: the schema itself, or the only part of `allOf` if nothing else says what is valid.
    fileprivate var reference: JSONValue? {
        if self["$ref"] != nil { return self }
        let parts = self["allOf"]?.elementList ?? []
        let references = parts.filter { $0["$ref"] != nil }
        let others = [self] + parts.filter { $0["$ref"] == nil }
        let annotations: Set<String> = ["allOf", "description", "title", "example", "examples"]
        let isPlain = others.allSatisfy { $0.members.allSatisfy { annotations.contains($0.name) } }
        return references.count == 1 && isPlain ? references[0] : nil
    }

    /// The JSON in a string, if this JSON is an object or an array. Descriptions often write examples as strings.
    var parsedJSON: JSONValue? {
        guard let text = string, let first = text.utf8.first(where: { $0 > 0x20 }), first == 0x7B || first == 0x5B
        else {
            return nil
        }
        return JSONDocument.read(SourceFile(name: place.file.name, text: text)).validRoot
    }
}

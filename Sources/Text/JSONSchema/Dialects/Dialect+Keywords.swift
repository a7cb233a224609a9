extension Dialect {
    /// One meaning of a keyword, and the drafts in which the keyword has this meaning.
    struct Row: Sendable {
        let name: String
        let keyword: Keyword
        let drafts: ClosedRange<Draft>
        /// The vocabularies that define the keyword, from 2019-09 on.
        let vocabulary: [String]

        init(
            _ name: String, _ step: Keyword.Step = .nothing, _ contents: Keyword.Contents = .nothing,
            _ drafts: ClosedRange<Draft> = .draft04 ... .draft202012, in vocabulary: String...
        ) {
            self.name = name
            keyword = Keyword(step: step, contents: contents)
            self.drafts = drafts
            self.vocabulary = vocabulary
        }
    }

    /// All keywords. A keyword whose meaning changed has a row for each meaning.
    static let rows: [Row] = [
        // Core
        Row("$schema", in: "core"),
        Row("id", .nothing, .nothing, .draft04 ... .draft04, in: "core"),
        Row("$id", .nothing, .nothing, .draft06 ... .draft202012, in: "core"),
        Row("$comment", .nothing, .nothing, .draft07 ... .draft202012, in: "core"),
        Row("$anchor", .nothing, .nothing, .draft201909 ... .draft202012, in: "core"),
        Row("$vocabulary", .nothing, .nothing, .draft201909 ... .draft202012, in: "core"),
        Row("$defs", .nothing, .schemasByName, .draft201909 ... .draft202012, in: "core"),
        // Later drafts keep this keyword for references to old definitions.
        Row("definitions", .nothing, .schemasByName, in: "core"),
        Row("$ref", .reference, in: "core"),
        Row("$recursiveAnchor", .nothing, .nothing, .draft201909 ... .draft201909, in: "core"),
        Row("$recursiveRef", .recursiveReference, .nothing, .draft201909 ... .draft201909, in: "core"),
        Row("$dynamicAnchor", .nothing, .nothing, .draft202012 ... .draft202012, in: "core"),
        Row("$dynamicRef", .dynamicReference, .nothing, .draft202012 ... .draft202012, in: "core"),

        // Applicators
        Row("allOf", .allOf, .schemas, in: "applicator"),
        Row("anyOf", .anyOf, .schemas, in: "applicator"),
        Row("oneOf", .oneOf, .schemas, in: "applicator"),
        Row("not", .not, .schema, in: "applicator"),
        Row("if", .condition, .schema, .draft07 ... .draft202012, in: "applicator"),
        Row("then", .condition, .schema, .draft07 ... .draft202012, in: "applicator"),
        Row("else", .condition, .schema, .draft07 ... .draft202012, in: "applicator"),
        Row("properties", .members, .schemasByName, in: "applicator"),
        Row("patternProperties", .members, .schemasByName, in: "applicator"),
        Row("additionalProperties", .members, .schema, in: "applicator"),
        Row("propertyNames", .propertyNames, .schema, .draft06 ... .draft202012, in: "applicator"),
        Row("dependentSchemas", .dependentSchemas, .schemasByName, .draft201909 ... .draft202012, in: "applicator"),
        // Later drafts split this keyword in two. It still works in those drafts, as in jsonschema-rs, because it would otherwise
        // have no effect.
        Row("dependencies", .dependencies, .schemasByName, in: "applicator"),
        Row("prefixItems", .items, .schemas, .draft202012 ... .draft202012, in: "applicator"),
        Row("items", .items, .schema, .draft202012 ... .draft202012, in: "applicator"),
        Row("items", .tupleItems, .schemaOrSchemas, .draft04 ... .draft201909, in: "applicator"),
        Row("additionalItems", .tupleItems, .schema, .draft04 ... .draft201909, in: "applicator"),
        Row("contains", .containsForUnevaluated, .schema, .draft202012 ... .draft202012, in: "applicator"),
        Row("contains", .contains, .schema, .draft06 ... .draft201909, in: "applicator"),
        // In 2019-09, these two keywords belong to the applicators.
        Row("unevaluatedItems", .unevaluatedItems, .schema, .draft201909 ... .draft201909, in: "applicator"),
        Row("unevaluatedItems", .unevaluatedItems, .schema, .draft202012 ... .draft202012, in: "unevaluated"),
        Row("unevaluatedProperties", .unevaluatedProperties, .schema, .draft201909 ... .draft201909, in: "applicator"),
        Row("unevaluatedProperties", .unevaluatedProperties, .schema, .draft202012 ... .draft202012, in: "unevaluated"),

        // Assertions
        Row("type", .exactType, .nothing, .draft04 ... .draft04),
        Row("type", .type, .nothing, .draft06 ... .draft202012, in: "validation"),
        Row("enum", .enumeration, in: "validation"),
        Row("const", .constant, .nothing, .draft06 ... .draft202012, in: "validation"),
        Row("multipleOf", .multipleOf, in: "validation"),
        Row("minimum", .minimumWithFlag, .nothing, .draft04 ... .draft04),
        Row("maximum", .maximumWithFlag, .nothing, .draft04 ... .draft04),
        Row("exclusiveMinimum", .minimumWithFlag, .nothing, .draft04 ... .draft04),
        Row("exclusiveMaximum", .maximumWithFlag, .nothing, .draft04 ... .draft04),
        Row("minimum", .minimum, .nothing, .draft06 ... .draft202012, in: "validation"),
        Row("maximum", .maximum, .nothing, .draft06 ... .draft202012, in: "validation"),
        Row("exclusiveMinimum", .exclusiveMinimum, .nothing, .draft06 ... .draft202012, in: "validation"),
        Row("exclusiveMaximum", .exclusiveMaximum, .nothing, .draft06 ... .draft202012, in: "validation"),
        Row("minLength", .minLength, in: "validation"),
        Row("maxLength", .maxLength, in: "validation"),
        Row("pattern", .pattern, in: "validation"),
        Row("minItems", .minItems, in: "validation"),
        Row("maxItems", .maxItems, in: "validation"),
        Row("uniqueItems", .uniqueItems, in: "validation"),
        // These two keywords change what `contains` requires.
        Row("minContains", .nothing, .nothing, .draft201909 ... .draft202012, in: "validation"),
        Row("maxContains", .nothing, .nothing, .draft201909 ... .draft202012, in: "validation"),
        Row("minProperties", .minProperties, in: "validation"),
        Row("maxProperties", .maxProperties, in: "validation"),
        Row("required", .required, in: "validation"),
        Row("dependentRequired", .dependentRequired, .nothing, .draft201909 ... .draft202012, in: "validation"),
        Row("format", .format, in: "format", "format-annotation", "format-assertion"),

        // Annotations
        Row("title", in: "meta-data"),
        Row("description", in: "meta-data"),
        Row("default", in: "meta-data"),
        Row("deprecated", .nothing, .nothing, .draft201909 ... .draft202012, in: "meta-data"),
        Row("readOnly", .nothing, .nothing, .draft07 ... .draft202012, in: "meta-data"),
        Row("writeOnly", .nothing, .nothing, .draft07 ... .draft202012, in: "meta-data"),
        Row("examples", .nothing, .nothing, .draft06 ... .draft202012, in: "meta-data"),
        Row("contentEncoding", .nothing, .nothing, .draft07 ... .draft202012, in: "content"),
        Row("contentMediaType", .nothing, .nothing, .draft07 ... .draft202012, in: "content"),
        Row("contentSchema", .nothing, .schema, .draft201909 ... .draft202012, in: "content"),
    ]
}

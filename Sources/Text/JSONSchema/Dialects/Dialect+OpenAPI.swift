extension Dialect {
    /// The dialect of OpenAPI 3.0: draft-04 with `nullable`, without identifiers.
    static let openAPI30 = Dialect(.draft04, metaSchema: MetaSchemas.openAPI30, vocabularies: nil, isOpenAPI: true)
    /// The dialect of OpenAPI 3.1 and 3.2: JSON Schema 2020-12, in which `writeOnly` has an effect.
    static let openAPI31 = openAPI(.draft202012)

    private static func openAPI(_ draft: Draft) -> Dialect {
        Dialect(draft, metaSchema: draft.uri, vocabularies: nil, isOpenAPI: true)
    }

    /// The dialect of OpenAPI that a URI names. The newer dialects have a URI for each version and date.
    static func openAPI(named uri: String) -> Dialect? {
        if uri == MetaSchemas.openAPI30 { return openAPI30 }
        let versions = ["3.1", "3.2"].map { "https://spec.openapis.org/oas/\($0)/dialect/" }
        return versions.contains { uri.hasPrefix($0) } ? openAPI31 : nil
    }

    /// The default dialect of a description's schemas, by its URI. `jsonSchemaDialect` may also name a dialect of JSON Schema.
    static func ofDescription(named uri: String) -> Dialect? { openAPI(named: uri) ?? Draft(uri: uri).map(openAPI) }
}

extension MetaSchemas {
    /// The URI of the dialect of OpenAPI 3.0.
    static let openAPI30 = "https://spec.openapis.org/oas/3.0/dialect"

    /// The metaschema for schema objects of OpenAPI 3.0. It follows JSON Schema in two points: lists of names may be empty, and
    /// `type` may be a list. Many descriptions use this.
    static let openAPI30Text = #"""
        {
          "id": "https://spec.openapis.org/oas/3.0/dialect", "$schema": "http://json-schema.org/draft-04/schema#",
          "definitions": {
            "count": {"type": "integer", "minimum": 0},
            "schemas": {"type": "array", "minItems": 1, "items": {"$ref": "#"}},
            "schemasByName": {"type": "object", "additionalProperties": {"$ref": "#"}},
            "names": {"type": "array", "items": {"type": "string"}},
            "type": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]}
          },
          "type": "object",
          "properties": {
            "$ref": {"type": "string"},
            "multipleOf": {"type": "number", "minimum": 0, "exclusiveMinimum": true},
            "maximum": {"type": "number"}, "exclusiveMaximum": {"type": "boolean"},
            "minimum": {"type": "number"}, "exclusiveMinimum": {"type": "boolean"},
            "maxLength": {"$ref": "#/definitions/count"}, "minLength": {"$ref": "#/definitions/count"},
            "pattern": {"type": "string"}, "items": {"$ref": "#"},
            "maxItems": {"$ref": "#/definitions/count"}, "minItems": {"$ref": "#/definitions/count"},
            "uniqueItems": {"type": "boolean"},
            "maxProperties": {"$ref": "#/definitions/count"}, "minProperties": {"$ref": "#/definitions/count"},
            "required": {"$ref": "#/definitions/names"},
            "additionalProperties": {"anyOf": [{"type": "boolean"}, {"$ref": "#"}]},
            "properties": {"$ref": "#/definitions/schemasByName"},
            "enum": {"type": "array", "minItems": 1},
            "type": {
              "anyOf": [
                {"$ref": "#/definitions/type"},
                {"type": "array", "items": {"$ref": "#/definitions/type"}, "minItems": 1}
              ]
            },
            "format": {"type": "string"}, "allOf": {"$ref": "#/definitions/schemas"},
            "anyOf": {"$ref": "#/definitions/schemas"}, "oneOf": {"$ref": "#/definitions/schemas"},
            "not": {"$ref": "#"}, "nullable": {"type": "boolean"}, "readOnly": {"type": "boolean"},
            "writeOnly": {"type": "boolean"},
            "discriminator": {
              "type": "object", "required": ["propertyName"],
              "properties": {
                "propertyName": {"type": "string"},
                "mapping": {"type": "object", "additionalProperties": {"type": "string"}}
              }
            }
          }
        }
        """#
}

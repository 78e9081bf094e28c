import ArgumentParser
import Conformance
import OData
import Soups

/// Prints a metadata document as a readable model.
struct ODataMetadataCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metadata", abstract: "Prints the model of a metadata document.",
        discussion: """
            What a service is known to write against the specification is read; each such deviation is a warning on standard
            error, and an error with --strict.

            Examples:
              soup odata metadata metadata.xml
              soup odata metadata --strict metadata.xml

            \(
                ExitStatus.help(
                    success: "printed", failure: "malformed document, with the byte offset of the error",
                    usage: "a file that cannot be read"))
            """)

    @Argument(help: "The file with the metadata document (CSDL as XML).") var file: String
    @Flag(help: "Refuses what would be a warning.") var strict = false

    func run() throws {
        let model = try ODataCommand.model(in: file, isStrict: strict)
        for line in lines(of: model) {
            print(line)
        }
        for warning in model.warnings {
            StandardError.say("\(file): warning: \(warning)")
        }
    }

    private func lines(of model: EdmModel) -> [String] {
        var lines: [String] = []
        for schema in model.schemas {
            lines.append("schema \(schema.namespace)" + (schema.alias.map { " as \($0)" } ?? ""))
            for type in schema.entityTypes {
                lines += structured(type, "entity")
            }
            for type in schema.complexTypes {
                lines += structured(type, "complex")
            }
            for type in schema.enumTypes {
                lines.append("  enum \(type.name): \(type.underlyingType.rawValue)" + (type.isFlags ? " flags" : ""))
                lines.append("    " + type.members.map { "\($0.name) = \($0.value)" }.joined(separator: ", "))
            }
            for type in schema.typeDefinitions {
                lines.append("  type \(type.name): \(type.underlying.name)")
            }
            for operation in schema.functions {
                lines.append("  function " + signature(operation))
            }
            for operation in schema.actions {
                lines.append("  action " + signature(operation))
            }
            for container in schema.containers {
                lines += self.container(container)
            }
            if !schema.annotations.isEmpty {
                lines.append("  annotations: \(schema.annotations.count)")
            }
        }
        return lines
    }

    private func structured(_ type: EdmStructuredType, _ kind: String) -> [String] {
        let base = type.baseType.map { ": \($0)" } ?? ""
        let marks =
            (type.isAbstract ? " abstract" : "") + (type.isOpen ? " open" : "") + (type.hasStream ? " stream" : "")
        var lines = ["  \(kind) \(type.name)\(base)\(marks)"]
        let keys = type.key.map(\.path)
        for property in type.properties {
            let isKey = keys.contains { $0.utf8.elementsEqual(property.name.utf8) }
            lines.append(
                "    \(isKey ? "*" : " ") \(property.name): \(property.type.text)"
                    + (property.type.isNullable ? "?" : ""))
        }
        for navigation in type.navigation {
            lines.append(
                "    > \(navigation.name): \(navigation.type.text)" + (navigation.partner.map { " <> \($0)" } ?? ""))
        }
        return lines
    }

    private func signature(_ operation: EdmOperation) -> String {
        let parameters = operation.parameters.map { "\($0.name): \($0.type.text)" }.joined(separator: ", ")
        return "\(operation.name)(\(parameters))" + (operation.returnType.map { " -> \($0.text)" } ?? "")
            + (operation.isBound ? " bound" : "")
    }

    private func container(_ container: EdmContainer) -> [String] {
        var lines = ["  container \(container.name)" + (container.extends.map { " extends \($0)" } ?? "")]
        lines += container.entitySets.map { "    set \($0.name): \($0.entityType)" }
        lines += container.singletons.map { "    singleton \($0.name): \($0.type)" }
        lines += container.imports.map { found in
            "    \(found.kind == .function ? "function" : "action") \(found.name)"
                + (found.operation.map { " = \($0)" } ?? "")
        }
        return lines
    }
}

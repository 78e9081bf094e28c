import Conformance
import JSONText
import OData
import Testing

@Suite struct LiteralTests {
    @Test(arguments: [
        (ODataVersion.v4, "12", "Edm.Int32", "12"), (.v4, "+42", "Edm.Int32", "42"),
        (.v4, "-2147483648", "Edm.Int32", "-2147483648"),
        (.v4, "2147483648", "Edm.Int64", #""2147483648""#),
        (.v4, "9223372036854775808", "Edm.Decimal", #""9223372036854775808""#),
        (.v4, "1.50", "Edm.Decimal", #""1.50""#), (.v4, "1e3", "Edm.Double", "1000"),
        (.v4, "INF", "Edm.Double", #""INF""#),
        (.v4, "-INF", "Edm.Double", #""-INF""#), (.v4, "NaN", "Edm.Double", #""NaN""#),
        (.v4, "tRUe", "Edm.Boolean", "true"),
        (.v4, "'O''Neil'", "Edm.String", #""O'Neil""#), (.v4, "''", "Edm.String", #""""#),
        (.v4, "ABCDEF01-89ab-cdef-0123-456789abcdef", "Edm.Guid", #""abcdef01-89ab-cdef-0123-456789abcdef""#),
        (.v4, "01234567-89ab-cdef-0123-456789abcdef", "Edm.Guid", #""01234567-89ab-cdef-0123-456789abcdef""#),
        (.v4, "2012-09-03", "Edm.Date", #""2012-09-03""#), (.v4, "-10000-04-01", "Edm.Date", #""-10000-04-01""#),
        (.v4, "2012-09-03T13:52Z", "Edm.DateTimeOffset", #""2012-09-03T13:52:00Z""#),
        (.v4, "2006-12-30T23:59:59+00:00", "Edm.DateTimeOffset", #""2006-12-30T23:59:59Z""#),
        (.v4, "13:20:00.123", "Edm.TimeOfDay", #""13:20:00.123""#),
        (.v4, "duration'P1DT2H'", "Edm.Duration", #""P1DT2H""#),
        (.v4, "binary'T0RhdGE'", "Edm.Binary", #""T0RhdGE=""#),
        (.v4, "geography'SRID=0;Point(142.1 64.1)'", "Edm.GeographyPoint", #""SRID=0;Point(142.1 64.1)""#),
        (.v2, "12", "Edm.Int32", "12"), (.v2, "12L", "Edm.Int64", #""12""#), (.v2, "1.5M", "Edm.Decimal", #""1.5""#),
        (.v2, "2.5f", "Edm.Single", #""2.5""#),
        (.v2, "1.2", "Edm.Double", "1.2"), (.v2, "1E3d", "Edm.Double", "1000"),
        (.v2, "guid'01234567-89ab-cdef-0123-456789abcdef'", "Edm.Guid", #""01234567-89ab-cdef-0123-456789abcdef""#),
        (.v2, "X'0aFF'", "Edm.Binary", #""Cv8=""#), (.v2, "binary'0AFF'", "Edm.Binary", #""Cv8=""#),
        (.v2, "datetime'2012-09-03T13:52'", "Edm.DateTime", #""2012-09-03T13:52:00""#),
        (.v2, "datetimeoffset'2012-09-03T13:52:00+01:00'", "Edm.DateTimeOffset", #""2012-09-03T13:52:00+01:00""#),
        (.v2, "time'PT13H'", "Edm.Time", #""PT13H""#),
    ])
    func `literals have the type of their form`(
        _ version: ODataVersion, _ text: String, _ type: String, _ value: String
    ) throws {
        let tree = try ODataExpression(parsing: text, version: version).json
        let parsed = try JSONValue(parsing: value)
        #expect(tree == ["literal", .string(type), parsed])
    }
}

import JSONText
import TestSupport
import Testing

/// Runs JSONTestSuite: `y_` files must be accepted, `n_` files must be refused, and the results for `i_` files, which
/// the standard leaves open, are listed here.
@Suite(.enabled(if: TestData.isPresent("json-test-suite"), Comment(rawValue: TestData.skipComment)))
struct ParsingSuiteTests {
    private static let folder = "json-test-suite/test_parsing"

    private static let files: [String] = (try? TestData.names(in: folder)) ?? []

    /// The results for the `i_` files: nil for accepted, otherwise the code of the error.
    private static let freeCases: [(String, JSONError.Code?)] = [
        ("i_number_double_huge_neg_exp.json", nil),
        ("i_number_huge_exp.json", nil),
        ("i_number_neg_int_huge_exp.json", nil),
        ("i_number_pos_double_huge_exp.json", nil),
        ("i_number_real_neg_overflow.json", nil),
        ("i_number_real_pos_overflow.json", nil),
        ("i_number_real_underflow.json", nil),
        ("i_number_too_big_neg_int.json", nil),
        ("i_number_too_big_pos_int.json", nil),
        ("i_number_very_big_negative_int.json", nil),
        ("i_object_key_lone_2nd_surrogate.json", .invalidText),
        ("i_string_1st_surrogate_but_2nd_missing.json", .invalidText),
        ("i_string_1st_valid_surrogate_2nd_invalid.json", .invalidText),
        ("i_string_UTF-16LE_with_BOM.json", .syntax),
        ("i_string_UTF-8_invalid_sequence.json", .invalidText),
        ("i_string_UTF8_surrogate_U+D800.json", .invalidText),
        ("i_string_incomplete_surrogate_and_escape_valid.json", .invalidText),
        ("i_string_incomplete_surrogate_pair.json", .invalidText),
        ("i_string_incomplete_surrogates_escape_valid.json", .invalidText),
        ("i_string_invalid_lonely_surrogate.json", .invalidText),
        ("i_string_invalid_surrogate.json", .invalidText),
        ("i_string_invalid_utf-8.json", .invalidText),
        ("i_string_inverted_surrogates_U+1D11E.json", .invalidText),
        ("i_string_iso_latin_1.json", .invalidText),
        ("i_string_lone_second_surrogate.json", .invalidText),
        ("i_string_lone_utf8_continuation_byte.json", .invalidText),
        ("i_string_not_in_unicode_range.json", .invalidText),
        ("i_string_overlong_sequence_2_bytes.json", .invalidText),
        ("i_string_overlong_sequence_6_bytes.json", .invalidText),
        ("i_string_overlong_sequence_6_bytes_null.json", .invalidText),
        ("i_string_truncated-utf-8.json", .invalidText),
        ("i_string_utf16BE_no_BOM.json", .syntax),
        ("i_string_utf16LE_no_BOM.json", .syntax),
        ("i_structure_500_nested_arrays.json", nil),
        ("i_structure_UTF-8_BOM_empty_object.json", .syntax),
    ]

    @Test func `the suite is there`() {
        #expect(Self.files.count { $0.hasPrefix("y_") } == 95)
        #expect(Self.files.count { $0.hasPrefix("n_") } == 188)
        #expect(Self.files.count { $0.hasPrefix("i_") } == 35)
    }

    @Test(arguments: files.filter { $0.hasPrefix("y_") })
    func `accepts what must be accepted`(file: String) throws {
        #expect(JSONReaders.verdict(of: try TestData.bytes(Self.folder + "/" + file)) == .accepted)
    }

    @Test(arguments: files.filter { $0.hasPrefix("n_") })
    func `refuses what must be refused`(file: String) throws {
        #expect(JSONReaders.verdict(of: try TestData.bytes(Self.folder + "/" + file)).isRefused)
    }

    @Test(arguments: files.filter { $0.hasPrefix("i_") })
    func `does as recorded where the standard is silent`(file: String) throws {
        let verdict = JSONReaders.verdict(of: try TestData.bytes(Self.folder + "/" + file))
        guard let recorded = Self.freeCases.first(where: { $0.0 == file }) else {
            Issue.record("\(file) is not in the table: \(verdict)")
            return
        }
        switch (verdict, recorded.1) {
        case (.accepted, nil): break
        case (.refused(let error), let code?) where error.code == code: break
        default: Issue.record("\(file): \(verdict)")
        }
    }
}

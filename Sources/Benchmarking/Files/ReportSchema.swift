package import JSONText

/// Describes every column of the report files: for people in the documentation, for programs as a table schema in JSON.
package enum ReportSchema {
    package struct Column: Sendable, Hashable {
        package let name: String
        /// `string`, `integer`, `number` or `boolean`. An empty field means not measured, never 0.
        package let type: String
        package let meaning: String
    }

    /// The columns of samples.csv, in their order.
    package static let samples: [Column] = [
        column("schema", "string", "version of these columns, major.minor.patch; readers take their own major only"),
        column("run_id", "string", "the run: UTC time and commit"),
        column("shard", "string", "part of the run, k/N"),
        column("cell_id", "string", "the cell: workload and parameters"),
        column("workload", "string", "what is done"),
        column("params", "string", "name=value;name=value, sorted by name"),
        column("arm", "string", "who does it; name@build for another build of the program; empty for block_time"),
        column("process", "integer", "process id of the worker; one for each block and build"),
        column(
            "block", "integer",
            "from 0 within a cell; one block is one pair of each comparison; second looks count from 1000; control and null row of shard k from 10000 * (k - 1)"
        ),
        column("slot", "integer", "place of the turn within the block, from 0"),
        column("order", "string", "all turns of the block in their order, joined by >"),
        column("phase", "string", "first or second: the look that the block belongs to"),
        column("warm", "boolean", "1 for a warm-up: stored, never judged"),
        column("iterations", "integer", "units of work in the sample; value / iterations is the cost of one"),
        column(
            "metric", "string",
            "wall, cpu, vm_steps, cache_misses, cache_writes, rows, file_bytes; marker_found; worker_memory; block_time, the last row of a whole block; query_plan, failed and unsupported with a note"
        ),
        column("value", "integer", "what was measured, in the unit"),
        column("unit", "string", "ns, bytes or count"),
        column("digest", "string", "SHA-256 of the arm's answer in this block, dates left out"),
        column("outlier", "boolean", "1 beyond 3.5 scaled median absolute deviations; a label, the sample counts"),
        column("note", "string", "why nothing was measured; the query plans of the arm's statements"),
    ]

    /// The columns of summary.csv, in their order.
    package static let summary: [Column] = [
        column("schema", "string", "version of these columns"),
        column("run_id", "string", "the run"),
        column("cell_id", "string", "the cell"),
        column("workload", "string", "what is done"),
        column("params", "string", "name=value;name=value, sorted by name"),
        column("metric", "string", "what was measured"),
        column("unit", "string", "ns, bytes or count, for one unit of work"),
        column("base_arm", "string", "the arm that the other is compared with"),
        column("arm", "string", "the arm that is compared; empty where the base arm has nothing to be compared with"),
        column("pairs", "integer", "pairs that the ratio rests on"),
        column("base_median", "number", "median of the base arm, per unit of work"),
        column("arm_median", "number", "median of the arm, per unit of work"),
        column("base_p95", "number", "95th percentile of the base arm"),
        column("arm_p95", "number", "95th percentile of the arm"),
        column(
            "ratio", "number",
            "arm / base: Hodges-Lehmann estimate, or the quotient of counters; the largest number there is where a counter began from 0"
        ),
        column("lo", "number", "lower end of the exact signed-rank interval"),
        column("hi", "number", "upper end"),
        column("level", "number", "probability that such an interval covers the truth"),
        column("margin", "number", "share of change that is still \"same\""),
        column("stage", "integer", "1, or 2 where the row had a second look"),
        column("p", "number", "probability of such figures if the arm were no slower than its margin"),
        column("p_holm", "number", "the same, corrected for all rows that gate"),
        column(
            "p_bh", "number",
            "share of chance findings to expect among the rows that differ from another build at least as clearly (Benjamini-Hochberg); lists of differences hold rows up to 0.05"
        ),
        column("verdict", "string", "faster, slower, same, inconclusive or invalid"),
        column("reason", "string", "why a row is inconclusive or invalid"),
        column(
            "plan_same", "boolean",
            "1 if SQLite answered the statements of both arms along the same query plans; empty without plans"),
        column("digest_same", "boolean", "1 if both arms answered the same in every block; empty where they need not"),
        column("bench_version", "string", "hash of the cell's definition; rows of others are never compared"),
    ]

    /// The columns of claims.csv, in their order.
    package static let claims: [Column] = [
        column("schema", "string", "version of these columns"),
        column("run_id", "string", "the run"),
        column("claim", "string", "the claim's number"),
        column("statement", "string", "what is claimed"),
        column("backend", "string", "plain or cipher; any where no storage takes part"),
        column(
            "arms", "string", "whose work is weighed; of a ratio the divided arm, a blank and the arm it is divided by"),
        column("cell_id", "string", "the cell; for an exponent the work at all its sizes"),
        column(
            "kind", "string",
            "ratio, cost (of one unit of work) or exponent (of the time over the entries); empty where nothing was measured"
        ),
        column("unit", "string", "ns or bytes for a cost, else 1"),
        column("figure", "number", "the ratio, the median cost or the exponent"),
        column("lo", "number", "lower end of the interval; empty for a cost"),
        column("hi", "number", "upper end; for a cost the 95th percentile"),
        column("pairs", "integer", "pairs that a ratio rests on"),
        column("asked", "string", "what the claim asks of the figure"),
        column("finding", "string", "holds, does not hold or inconclusive"),
    ]

    /// The columns of growth.csv, in their order.
    package static let growth: [Column] = [
        column("schema", "string", "version of these columns"),
        column("run_id", "string", "the run"),
        column("work", "string", "the cells, without the size"),
        column("arm", "string", "who does it"),
        column("entries", "string", "the sizes, ascending, separated by spaces"),
        column("medians", "string", "median time for one unit of work at each size (ns)"),
        column(
            "exponent", "number", "time is in proportion to entries to this power, by least squares on the logarithms"),
        column("lo", "number", "lower end of the exact signed-rank interval over the exponents of blocks"),
        column("hi", "number", "upper end"),
    ]

    /// The columns of what `soup check` and `soup compare` print as CSV, in their order.
    package static let comparison: [Column] = [
        column("schema", "string", "version of these columns"),
        column("run_id", "string", "the new run"),
        column("stored_run_id", "string", "the run that it is compared with"),
        column(
            "kind", "string",
            "counter (of one arm), ratio (of two), time (of one arm), or suite: the mean of all ratios"),
        column("cell_id", "string", "the cell"),
        column("metric", "string", "what was measured"),
        column("arms", "string", "the arm, or arm / base"),
        column("stored", "number", "the stored figure"),
        column("new", "number", "the new one"),
        column("change", "number", "new / stored"),
        column("lo", "number", "lower end of its interval; of a counter or a time the change itself"),
        column("hi", "number", "upper end"),
        column("margin", "number", "share of change that is still \"same\""),
        column(
            "margin_usual", "number",
            "what the margin was before it was widened to 3 times the stored null row's half width; empty where it was not"
        ),
        column("spread", "number", "how far such a ratio moves between runs, as a half width of its logarithm"),
        column("spread_known", "boolean", "1 if the row's history says so, 0 if it is assumed"),
        column(
            "creep", "number",
            "the last level of the row's history over its first, where that is beyond the margin though no single step was; empty elsewhere"
        ),
        column(
            "p_holm", "number",
            "probability of such a ratio if it were no slower than its margin, corrected for all ratios"),
        column(
            "p_bh", "number",
            "share of chance findings to expect among the ratios that differ at least as clearly (Benjamini-Hochberg); lists hold rows up to 0.05"
        ),
        column("gates", "boolean", "1 if the row can make the check red"),
        column("verdict", "string", "faster, slower, same, inconclusive or invalid"),
        column(
            "regression", "boolean",
            "1 if it makes the check red: a counter that grew, or a ratio that a second session confirmed"),
        column("reason", "string", "why the row is invalid or undecided, or what else changed"),
    ]

    /// The columns of manifest.csv, in their order.
    package static let manifest: [Column] = [
        column("schema", "string", "version of these columns"),
        column("run_id", "string", "the run; empty in a plan"),
        column(
            "cell_id", "string",
            "the cell; all cells of all shards of the run, control and null row once for each shard"),
        column("bench_version", "string", "hash of the cell's definition"),
        column("shard", "string", "part of the run that measures it, k/N"),
        column("arms", "string", "who takes turns, separated by spaces"),
        column("planned_pairs", "integer", "blocks of the first look that were planned"),
        column(
            "expected_seconds", "number",
            "what these were expected to take, from accepted reports; empty if there are none"),
        column(
            "delivered_pairs", "integer",
            "whole blocks of the first look; empty where another shard measures the cell, or nothing ran yet"),
        column("second_pairs", "integer", "whole blocks of the second look"),
        column("seconds", "number", "what all whole blocks of both looks took"),
    ]

    /// All files as table schemas (https://specs.frictionlessdata.io/table-schema/).
    package static var json: JSONValue {
        func table(_ columns: [Column]) -> JSONValue {
            [
                "fields": .array(
                    columns.map {
                        ["name": .string($0.name), "type": .string($0.type), "description": .string($0.meaning)]
                    })
            ]
        }
        return [
            "version": .string(SchemaVersion.current), "samples.csv": table(samples), "summary.csv": table(summary),
            "claims.csv": table(claims),
            "growth.csv": table(growth), "manifest.csv": table(manifest), "comparison": table(comparison),
        ]
    }

    private static func column(_ name: String, _ type: String, _ meaning: String) -> Column {
        Column(name: name, type: type, meaning: meaning)
    }
}

# Keeps of the output of `swift test` what a person reads: failures, skips, prints of tests and totals.
#
# Each test case is announced with its arguments, which may be texts of many lines: they are dropped to the end of the announcement.
function ends(line) { return line ~ / started\.$/ || line ~ / (passed|failed) after [0-9.]+ seconds/ }
{ plain = $0; gsub(/\033\[[0-9;]*m/, "", plain) }
plain ~ /^✘/ { dropping = 0; print plain; fflush(); next }
dropping { if (ends(plain)) dropping = 0; next }
plain ~ /^(◇|✔) Test case / { dropping = !ends(plain); next }
plain ~ /^(◇|↳)/ || plain ~ /^✔ (Suite |Test [^r])/ || plain ~ /^\[[0-9]+\/[0-9]+\]/ { next }
plain ~ /^Test Suite '|^\t Executed 0 tests/ { next }
plain ~ /^✔ Test r/ && plain !~ /^✔ Test run/ { next }
{ print plain; fflush() }

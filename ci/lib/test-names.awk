# Prints tests and suites that are not named in the one style: `@Test func `a sentence that says the behaviour`()`.
#
#   awk -f ci/lib/test-names.awk $(git ls-files 'Tests/*.swift')      exit code 1 if there is one

FNR == 1 { pending = 0 }
/@Test\("|@Suite\("/ || (pending && /^ *"/ && opened == FNR - 1) {
    print FILENAME ":" FNR ": a title; name the function by the sentence instead: func `...`()"
    failed = 1
}
/@Test/ { pending = 1; opened = /@Test\($/ ? FNR : 0 }
pending && /func / {
    if ($0 !~ /func `[^`]+`/) {
        print FILENAME ":" FNR ": name the test by a sentence: func `...`()"
        failed = 1
    }
    pending = 0
}
END { exit failed }

// Prints how long simdjson takes for the document tree of a file that is in memory, with a parser that is used again: `simdjson_payload FILE TIMES`, the
// CPU seconds of each time on a line. Built and run by ci/payload-speed/run.
#include <simdjson.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

static double seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
  if (count < 3) return 2;
  simdjson::padded_string text = simdjson::padded_string::load(arguments[1]);
  simdjson::dom::parser parser;
  for (int round = std::atoi(arguments[2]); round > 0; round--) {
    double start = seconds();
    if (parser.parse(text).error()) return 1;
    std::printf("%.6f 0\n", seconds() - start);
  }
}

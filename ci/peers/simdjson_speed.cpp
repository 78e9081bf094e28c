// Prints how fast simdjson reads files: its document tree, with a parser that is used again. Built and run by ci/json-speed/run.
#include <simdjson.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

static double seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **files) {
  std::printf("simdjson, kernel %s\n", std::string(simdjson::get_active_implementation()->name()).c_str());
  for (int index = 1; index < count; index++) {
    simdjson::padded_string text = simdjson::padded_string::load(files[index]);
    simdjson::dom::parser parser;
    std::vector<double> times;
    for (int round = 0; round < 9; round++) {
      double start = seconds();
      for (int again = 0; again < 20; again++)
        if (parser.parse(text).error()) return 1;
      times.push_back((seconds() - start) / 20);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-40s %8.0f MB/s\n", files[index], text.size() / times[times.size() / 2] / 1e6);
  }
}

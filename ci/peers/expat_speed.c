/* Prints how long expat takes for a file: namespaces on, handlers that do nothing, the file given in pieces of 64 KiB. `expat_speed FILE TIMES`: the CPU
   seconds of each time on a line. Built and run by ci/payload-speed/run. */
#include <expat.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void XMLCALL start(void *data, const XML_Char *name, const XML_Char **attributes) { (void)data, (void)name, (void)attributes; }
static void XMLCALL end(void *data, const XML_Char *name) { (void)data, (void)name; }
static void XMLCALL text(void *data, const XML_Char *bytes, int count) { (void)data, (void)bytes, (void)count; }

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
  static char buffer[64 << 10];
  if (count < 3) return 2;
  for (int round = atoi(arguments[2]); round > 0; round--) {
    int file = open(arguments[1], O_RDONLY);
    if (file < 0) return 1;
    double begin = seconds();
    XML_Parser parser = XML_ParserCreateNS(NULL, '|');
    XML_SetElementHandler(parser, start, end);
    XML_SetCharacterDataHandler(parser, text);
    ssize_t size;
    do {
      size = read(file, buffer, sizeof buffer);
      if (size < 0 || XML_Parse(parser, buffer, (int)size, size == 0) != XML_STATUS_OK) return 1;
    } while (size > 0);
    XML_ParserFree(parser);
    printf("%.6f 0\n", seconds() - begin);
    close(file);
  }
  return 0;
}

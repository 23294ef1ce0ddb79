// A server on loopback that accepts every request, as fast as a single thread can: the other side of a benchmark.
//
// It prints its port, and serves until it is killed. Each POST gets an id; no request is parsed beyond its length.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { most = 256, room = 1 << 16 };

static struct {
  char text[room];
  size_t length;
} waiting[most];

// Returns the length of the first whole request in a text, or 0.
static size_t request_length(const char *text, size_t length) {
  const char *end = memmem(text, length, "\r\n\r\n", 4);
  if (end == NULL)
    return 0;
  size_t head = (size_t)(end - text) + 4;
  size_t body = 0;
  for (const char *line = text; line < end;) {
    const char *next = memmem(line, (size_t)(end - line) + 2, "\r\n", 2);
    if (next == NULL)
      break;
    if (strncasecmp(line, "content-length:", 15) == 0)
      body = strtoul(line + 15, NULL, 10);
    line = next + 2;
  }
  return head + body <= length ? head + body : 0;
}

// Answers all whole requests of a connection; returns whether it goes on.
static int serve(int socket, unsigned place) {
  ssize_t count = read(socket, waiting[place].text + waiting[place].length, room - waiting[place].length);
  if (count <= 0)
    return 0;
  waiting[place].length += (size_t)count;
  size_t length;
  while ((length = request_length(waiting[place].text, waiting[place].length)) > 0) {
    static unsigned long made;
    char body[64], answer[256];
    int size = snprintf(body, sizeof body, "{\"data\":{\"id\":\"made-%lu\"}}", ++made);
    int total = snprintf(answer, sizeof answer,
                         "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", size, body);
    if (write(socket, answer, (size_t)total) != total)
      return 0;
    waiting[place].length -= length;
    memmove(waiting[place].text, waiting[place].text + length, waiting[place].length);
  }
  return waiting[place].length < room;
}

int main(void) {
  int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, 128) < 0 ||
      getsockname(listener, (struct sockaddr *)&address, &size) < 0) {
    perror("sink");
    return 1;
  }
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  struct pollfd open[most] = {{.fd = listener, .events = POLLIN}};
  nfds_t count = 1;
  for (;;) {
    if (poll(open, count, -1) < 0)
      return 1;
    for (nfds_t place = count; place-- > 1;) {
      if (open[place].revents == 0 || serve(open[place].fd, (unsigned)place))
        continue;
      close(open[place].fd);
      open[place] = open[--count];
      memcpy(&waiting[place], &waiting[count], sizeof waiting[place]);
    }
    if (open[0].revents == 0 || count == most)
      continue;
    int socket = accept(listener, NULL, NULL);
    if (socket < 0)
      continue;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    waiting[count].length = 0;
    open[count++] = (struct pollfd){.fd = socket, .events = POLLIN};
  }
}

#include "CTransfers.h"

#include "curl_values.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// libcurl's functions, with `void` for its handles; see curl_values.h.
struct curl_slist;
struct message {
  int kind;
  void *easy;
  union {
    void *unused;
    int code;
  } data;
};
int curl_global_init(long flags);
void *curl_easy_init(void);
int curl_easy_setopt(void *easy, int option, ...);
int curl_easy_getinfo(void *easy, int information, ...);
void curl_easy_cleanup(void *easy);
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text);
void curl_slist_free_all(struct curl_slist *list);
void *curl_multi_init(void);
int curl_multi_setopt(void *multi, int option, ...);
int curl_multi_add_handle(void *multi, void *easy);
int curl_multi_remove_handle(void *multi, void *easy);
int curl_multi_perform(void *multi, int *running);
struct message *curl_multi_info_read(void *multi, int *left);
int curl_multi_poll(void *multi, void *extra, unsigned count, int milliseconds, int *ready);
int curl_multi_wakeup(void *multi);
int curl_multi_cleanup(void *multi);

struct request {
  struct request *next;
  struct transfers *set;
  long long number;
  long milliseconds;
  char *method, *url, *body;
  size_t body_count;
  struct curl_slist *headers;
  void *easy;
  int code, is_too_large;
  long status;

  // Of the response.
  unsigned char *bytes;
  size_t count, room, header_count;
  char delay[128];
  size_t delay_count;
};

struct transfers {
  struct ctransfers_settings settings;
  char *authorities;
  void *multi;

  // The mutex protects what several threads use: the next four.
  pthread_mutex_t mutex;
  struct request *added, **added_end;
  long long *cancelled;
  size_t cancelled_count, cancelled_room;
  int is_closed, is_waiting;

  // Only the thread of `ctransfers_next` uses these.
  int has_begun;
  struct request *running, *ended, **ended_end, *current;
  void **idle;
  size_t idle_count;
};

// A list is appended to through the address of its last link.
static void append(struct request ***end, struct request *request) {
  request->next = NULL;
  **end = request;
  *end = &request->next;
}

static void free_request(struct request *request) {
  if (!request) return;
  free(request->method);
  free(request->url);
  free(request->body);
  free(request->bytes);
  curl_slist_free_all(request->headers);
  free(request);
}

// MARK: - Callbacks of libcurl

static size_t take_body(const char *bytes, size_t size, size_t many, void *argument) {
  struct request *request = argument;
  size_t count = size * many, needed = request->count + count;
  if (needed > request->set->settings.limit) {
    request->is_too_large = 1;
    return 0;
  }
  if (needed > request->room) {
    size_t room = needed < 512 ? 512 : 2 * needed;
    unsigned char *larger = realloc(request->bytes, room);
    if (!larger) return 0;
    request->bytes = larger;
    request->room = room;
  }
  memcpy(request->bytes + request->count, bytes, count);
  request->count = needed;
  return count;
}

// Gets each line of the headers, also those of interim responses.
static size_t take_header(const char *line, size_t size, size_t many, void *argument) {
  static const char name[] = "retry-after:";
  struct request *request = argument;
  size_t count = size * many, start = sizeof name - 1;
  request->header_count += count;
  // An endless series of interim responses would otherwise end with the time only.
  if (request->header_count > request->set->settings.limit) return 0;
  if (count >= 5 && memcmp(line, "HTTP/", 5) == 0) request->delay_count = 0;
  if (count < start || strncasecmp(line, name, start) != 0) return count;
  size_t end = count;
  while (start < end && (line[start] == ' ' || line[start] == '\t')) start++;
  while (start < end && strchr(" \t\r\n", line[end - 1])) end--;
  request->delay_count = end - start < sizeof request->delay ? end - start : sizeof request->delay;
  memcpy(request->delay, line + start, request->delay_count);
  return count;
}

// MARK: - Setting up

static void initialise(void) { curl_global_init(curl_global_default); }

size_t ctransfers_open(struct ctransfers_settings settings, const char *authorities) {
  // Before libcurl 7.84, the function isn't safe to call on two threads.
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialise);
  struct transfers *set = calloc(1, sizeof *set);
  if (!set) return 0;
  set->settings = settings;
  set->authorities = authorities ? strdup(authorities) : NULL;
  set->idle = calloc((size_t)settings.connections, sizeof *set->idle);
  set->multi = curl_multi_init();
  if (!set->idle || !set->multi || (authorities && !set->authorities)) {
    if (set->multi) curl_multi_cleanup(set->multi);
    free(set->idle);
    free(set->authorities);
    free(set);
    return 0;
  }
  curl_multi_setopt(set->multi, set_option_kept_connections, (long)settings.connections);
  curl_multi_setopt(set->multi, set_option_host_connections, (long)settings.connections);
  pthread_mutex_init(&set->mutex, NULL);
  set->added_end = &set->added;
  set->ended_end = &set->ended;
  return (size_t)set;
}

// Returns a handle with the options that all requests of a set have in common, or NULL.
static void *new_easy(const struct transfers *set) {
  void *easy = curl_easy_init();
  if (!easy) return NULL;
  long protocols = set->settings.is_encrypted ? protocol_https : protocol_http | protocol_https;
  int code = curl_easy_setopt(easy, option_protocols, protocols);
  code |= curl_easy_setopt(easy, option_redirect_protocols, protocols);
  // Another server must not get the token.
  code |= curl_easy_setopt(easy, option_follow_location, 0L);
  code |= curl_easy_setopt(easy, option_verify_peer, 1L);
  code |= curl_easy_setopt(easy, option_verify_host, 2L);
  // A proxy gets only what it needs for a tunnel.
  code |= curl_easy_setopt(easy, option_header_destinations, (long)headers_to_server_only);
  code |= curl_easy_setopt(easy, option_suppress_connect_headers, 1L);
  // An empty text also overrides the environment.
  if (!set->settings.uses_proxies) code |= curl_easy_setopt(easy, option_proxy, "");
  if (set->authorities) code |= curl_easy_setopt(easy, option_authorities, set->authorities);
  code |= curl_easy_setopt(easy, option_write_function, take_body);
  code |= curl_easy_setopt(easy, option_header_function, take_header);
  if (code != 0) {
    curl_easy_cleanup(easy);
    return NULL;
  }
  curl_easy_setopt(easy, option_encodings, "gzip, deflate");
  curl_easy_setopt(easy, option_user_agent, "outbox-migrate");
  // Signals for time limits would go to any thread.
  curl_easy_setopt(easy, option_no_signal, 1L);
  // The thread doesn't wait for a name server that a cancelled request asks. (libcurl 7.87 and later)
  curl_easy_setopt(easy, option_quick_exit, 1L);
  return easy;
}

static int set_up(struct request *request) {
  void *easy = request->easy;
  int code = curl_easy_setopt(easy, option_url, request->url);
  if (request->body) {
    code |= curl_easy_setopt(easy, option_post_field_size, (long)request->body_count);
    code |= curl_easy_setopt(easy, option_post_fields, request->body);
  } else {
    code |= curl_easy_setopt(easy, option_http_get, 1L);
  }
  code |= curl_easy_setopt(easy, option_method, request->method);
  code |= curl_easy_setopt(easy, option_headers, request->headers);
  code |= curl_easy_setopt(easy, option_timeout_ms, request->milliseconds);
  // Its own limit would be 300 s.
  code |= curl_easy_setopt(easy, option_connect_timeout_ms, request->milliseconds);
  code |= curl_easy_setopt(easy, option_write_data, request);
  code |= curl_easy_setopt(easy, option_header_data, request);
  code |= curl_easy_setopt(easy, option_private, request);
  return code;
}

// MARK: - Called by any thread

// Returns a list of the lines of a text, or NULL.
static struct curl_slist *list_of_lines(const char *text) {
  struct curl_slist *list = NULL;
  char *lines = strdup(text), *rest = lines;
  for (char *line; rest && (line = strsep(&rest, "\n"));) {
    struct curl_slist *longer = curl_slist_append(list, line);
    if (!longer) {
      curl_slist_free_all(list);
      list = NULL;
      break;
    }
    list = longer;
  }
  free(lines);
  return list;
}

// Wakes the thread if it waits; the mutex is locked.
static void wake(struct transfers *set) {
  // Waking costs two system calls, and the first of several is enough.
  if (set->is_waiting) curl_multi_wakeup(set->multi);
  set->is_waiting = 0;
}

int ctransfers_begin(
  size_t transfers, long long number, const char *method, const char *url, const char *headers,
  const char *body, size_t body_count, long milliseconds) {
  struct transfers *set = (struct transfers *)transfers;
  struct request *request = calloc(1, sizeof *request);
  if (!request) return -1;
  request->set = set;
  request->number = number;
  request->milliseconds = milliseconds;
  request->method = strdup(method);
  request->url = strdup(url);
  // One byte more, because no bytes may have no address.
  request->body = body ? malloc(body_count + 1) : NULL;
  if (request->body) memcpy(request->body, body, body_count);
  request->body_count = body_count;
  request->headers = list_of_lines(headers);
  if (!request->method || !request->url || !request->headers || (body && !request->body)) {
    free_request(request);
    return -1;
  }
  pthread_mutex_lock(&set->mutex);
  append(&set->added_end, request);
  wake(set);
  pthread_mutex_unlock(&set->mutex);
  return 0;
}

void ctransfers_cancel(size_t transfers, long long number) {
  struct transfers *set = (struct transfers *)transfers;
  pthread_mutex_lock(&set->mutex);
  if (set->cancelled_count == set->cancelled_room) {
    size_t room = 2 * set->cancelled_room + 16;
    long long *larger = realloc(set->cancelled, room * sizeof *larger);
    if (larger) {
      set->cancelled = larger;
      set->cancelled_room = room;
    }
  }
  // Without memory, the request ends with its time.
  if (set->cancelled_count < set->cancelled_room) set->cancelled[set->cancelled_count++] = number;
  wake(set);
  pthread_mutex_unlock(&set->mutex);
}

void ctransfers_close(size_t transfers) {
  struct transfers *set = (struct transfers *)transfers;
  pthread_mutex_lock(&set->mutex);
  set->is_closed = 1;
  wake(set);
  pthread_mutex_unlock(&set->mutex);
}

// MARK: - The thread

// Starts a request, or ends it with an error.
static void start(struct transfers *set, struct request *request) {
  request->easy = set->idle_count > 0 ? set->idle[--set->idle_count] : new_easy(set);
  request->code = request->easy ? set_up(request) : code_out_of_memory;
  if (request->code == 0 && curl_multi_add_handle(set->multi, request->easy) == 0) {
    request->next = set->running;
    set->running = request;
    return;
  }
  request->code = code_out_of_memory;
  if (request->easy) curl_easy_cleanup(request->easy);
  request->easy = NULL;
  append(&set->ended_end, request);
}

// Ends a running request.
static void end(struct transfers *set, struct request *request, int code) {
  struct request **link = &set->running;
  while (*link && *link != request) link = &(*link)->next;
  if (*link) *link = request->next;
  request->code = code;
  curl_easy_getinfo(request->easy, information_status, &request->status);
  curl_multi_remove_handle(set->multi, request->easy);
  // A handle that is used again keeps its options.
  if (set->idle_count < (size_t)set->settings.connections)
    set->idle[set->idle_count++] = request->easy;
  else
    curl_easy_cleanup(request->easy);
  append(&set->ended_end, request);
}

// Starts what was added, and ends what was cancelled; returns 0 if the set was closed.
static int heed_calls(struct transfers *set) {
  pthread_mutex_lock(&set->mutex);
  struct request *added = set->added;
  long long *cancelled = set->cancelled;
  size_t count = set->cancelled_count;
  int is_closed = set->is_closed;
  set->added = NULL;
  set->added_end = &set->added;
  if (count > 0) {
    set->cancelled = NULL;
    set->cancelled_count = set->cancelled_room = 0;
  }
  pthread_mutex_unlock(&set->mutex);
  while (added) {
    struct request *next = added->next;
    start(set, added);
    added = next;
  }
  for (size_t place = 0; place < count; place++) {
    struct request *request = set->running;
    while (request && request->number != cancelled[place]) request = request->next;
    if (request) end(set, request, code_out_of_memory);
  }
  if (count > 0) free(cancelled);
  return !is_closed;
}

static void free_set(struct transfers *set) {
  while (set->running) end(set, set->running, 0);
  for (struct request *request = set->ended; request;) {
    struct request *next = request->next;
    free_request(request);
    request = next;
  }
  free_request(set->current);
  while (set->idle_count > 0) curl_easy_cleanup(set->idle[--set->idle_count]);
  curl_multi_cleanup(set->multi);
  pthread_mutex_destroy(&set->mutex);
  free(set->idle);
  free(set->cancelled);
  free(set->authorities);
  free(set);
}

// Transfers what can be transferred without waiting, and then waits if no request has ended.
static void transfer(struct transfers *set) {
  int count;
  curl_multi_perform(set->multi, &count);
  for (struct message *message; (message = curl_multi_info_read(set->multi, &count));) {
    struct request *request = NULL;
    if (message->kind != message_done) continue;
    int code = message->data.code;
    curl_easy_getinfo(message->easy, information_private, &request);
    if (request) end(set, request, code);
  }
  if (set->ended) return;
  pthread_mutex_lock(&set->mutex);
  int waits = !set->added && set->cancelled_count == 0 && !set->is_closed;
  set->is_waiting = waits;
  pthread_mutex_unlock(&set->mutex);
  if (!waits) return;
  // libcurl returns earlier if a request's time is over.
  curl_multi_poll(set->multi, NULL, 0, 60000, NULL);
  pthread_mutex_lock(&set->mutex);
  set->is_waiting = 0;
  pthread_mutex_unlock(&set->mutex);
}

// OpenSSL may write to a connection that the server has closed.
static void ignore_write_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

long long ctransfers_next(size_t transfers, struct ctransfers_outcome *outcome) {
  struct transfers *set = (struct transfers *)transfers;
  if (!set->has_begun) ignore_write_signals();
  set->has_begun = 1;
  free_request(set->current);
  set->current = NULL;
  while (heed_calls(set)) {
    struct request *request = set->ended;
    if (!request) {
      transfer(set);
      continue;
    }
    set->ended = request->next;
    if (!set->ended) set->ended_end = &set->ended;
    set->current = request;
    *outcome = (struct ctransfers_outcome){
      .code = request->code,
      .is_too_large = request->is_too_large,
      .status = (int)request->status,
      .body_count = request->count,
      .delay_count = request->delay_count,
    };
    return request->number;
  }
  free_set(set);
  return 0;
}

void ctransfers_copy_body(size_t transfers, unsigned char *bytes, size_t count) {
  struct request *request = ((struct transfers *)transfers)->current;
  memcpy(bytes, request->bytes, count < request->count ? count : request->count);
}

void ctransfers_copy_delay(size_t transfers, unsigned char *bytes, size_t count) {
  struct request *request = ((struct transfers *)transfers)->current;
  memcpy(bytes, request->delay, count < request->delay_count ? count : request->delay_count);
}

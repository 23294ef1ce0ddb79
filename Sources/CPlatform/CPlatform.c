// `memmem` is in no standard.
#define _GNU_SOURCE

#include "CPlatform.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct thread_start {
  void (*work)(void *);
  void *argument;
};

static void *run_thread(void *argument) {
  struct thread_start start = *(struct thread_start *)argument;
  free(argument);
  start.work(start.argument);
  return NULL;
}

int cplatform_begin_thread(void (*work)(void *), void *argument, size_t *thread) {
  struct thread_start *start = malloc(sizeof *start);
  if (!start) return ENOMEM;
  *start = (struct thread_start){work, argument};
  pthread_attr_t attributes;
  pthread_t number;
  int code = pthread_attr_init(&attributes);
  if (code == 0) {
    pthread_attr_setstacksize(&attributes, 8 << 20);
    code = pthread_create(&number, &attributes, run_thread, start);
    pthread_attr_destroy(&attributes);
  }
  if (code != 0) free(start);
  // `pthread_t` is a number on Linux and a pointer on Darwin.
  else *thread = (size_t)number;
  return code;
}

void cplatform_join_thread(size_t thread) { pthread_join((pthread_t)thread, NULL); }

size_t cplatform_this_thread(void) { return (size_t)pthread_self(); }

int cplatform_holds(const void *bytes, size_t count, const void *text, size_t length) {
  return memmem(bytes, count, text, length) != NULL;
}

static volatile sig_atomic_t noted_signal;

void cplatform_note_signal(int number) {
  if (!noted_signal) noted_signal = number;
}

int cplatform_noted_signal(void) { return noted_signal; }

#include "CProcesses.h"

#include "CPlatform.h"

#include <signal.h>
#include <string.h>

void cprocesses_note_stop_signals(int notes) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = notes ? cplatform_note_signal : SIG_DFL;
  // After the first signal, the default action is back.
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  // A program inherits blocked signals from the thread that starts it.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

// The system's loader passes them to constructors.
static int word_count;
static char *const *words_of_main;

__attribute__((constructor)) static void keep_words(int count, char **words) {
  word_count = count;
  words_of_main = words;
}

int cprocesses_words(char *const **words) {
  *words = words_of_main;
  return word_count;
}

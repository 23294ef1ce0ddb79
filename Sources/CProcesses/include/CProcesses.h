#pragma once

/// Notes the first SIGINT or SIGTERM instead of ending the process: `sigaction`.
/// A second signal of the same kind ends it. With 0, the first one ends it again.
void cprocesses_note_stop_signals(int notes);

/// Kills this process when its parent thread ends: `prctl(PR_SET_PDEATHSIG, SIGKILL)`; on Darwin
/// when its parent process ends: a thread that waits for a kqueue's `NOTE_EXIT`.
void cprocesses_end_with_parent(void);

/// Writes the path of this process's executable, with a zero byte: `/proc/self/exe`, on Darwin
/// `_NSGetExecutablePath`. Returns 0, or -1 if it can't be read or is too long.
int cprocesses_program_path(char *path, unsigned size);

/// libproc's `proc_listallpids`, `proc_pidfdinfo` and `proc_name`; macOS only. The first returns the
/// number of processes, the second 1 if a process has a file open, the third the number of bytes.
int cprocesses_list(int *processes, int count);
int cprocesses_has_open(int process, unsigned device, unsigned long long inode);
int cprocesses_name(int process, unsigned char *name, unsigned size);

/// Sets the words of this process's command line, the program's name first, and returns their number.
/// They stay until the process ends. 0 if the system doesn't give them.
int cprocesses_words(char *const **words);

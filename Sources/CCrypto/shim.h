#pragma once

// OpenSSL 3 calls these functions deprecated for its EVP ones, which look up a provider and read
// openssl.cnf before the first byte: a millisecond of every start.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

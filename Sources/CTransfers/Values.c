// Compares the declared values with libcurl's headers. It adds nothing to the program.
#include "curl_values.h"

#if __has_include(<curl/curl.h>)
// Some of the options have newer names.
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>

#define EQUAL(own, theirs) _Static_assert((long)own == (long)theirs, #theirs)

EQUAL(curl_global_default, CURL_GLOBAL_DEFAULT);
EQUAL(option_follow_location, CURLOPT_FOLLOWLOCATION);
EQUAL(option_post_field_size, CURLOPT_POSTFIELDSIZE);
EQUAL(option_verify_peer, CURLOPT_SSL_VERIFYPEER);
EQUAL(option_http_get, CURLOPT_HTTPGET);
EQUAL(option_verify_host, CURLOPT_SSL_VERIFYHOST);
EQUAL(option_no_signal, CURLOPT_NOSIGNAL);
EQUAL(option_timeout_ms, CURLOPT_TIMEOUT_MS);
EQUAL(option_connect_timeout_ms, CURLOPT_CONNECTTIMEOUT_MS);
EQUAL(option_protocols, CURLOPT_PROTOCOLS);
EQUAL(option_redirect_protocols, CURLOPT_REDIR_PROTOCOLS);
EQUAL(option_header_destinations, CURLOPT_HEADEROPT);
EQUAL(option_suppress_connect_headers, CURLOPT_SUPPRESS_CONNECT_HEADERS);
EQUAL(option_write_data, CURLOPT_WRITEDATA);
EQUAL(option_url, CURLOPT_URL);
EQUAL(option_proxy, CURLOPT_PROXY);
EQUAL(option_post_fields, CURLOPT_POSTFIELDS);
EQUAL(option_user_agent, CURLOPT_USERAGENT);
EQUAL(option_headers, CURLOPT_HTTPHEADER);
EQUAL(option_header_data, CURLOPT_HEADERDATA);
EQUAL(option_method, CURLOPT_CUSTOMREQUEST);
EQUAL(option_authorities, CURLOPT_CAINFO);
EQUAL(option_encodings, CURLOPT_ACCEPT_ENCODING);
EQUAL(option_private, CURLOPT_PRIVATE);
EQUAL(option_write_function, CURLOPT_WRITEFUNCTION);
EQUAL(option_header_function, CURLOPT_HEADERFUNCTION);
EQUAL(headers_to_server_only, CURLHEADER_SEPARATE);
EQUAL(protocol_http, CURLPROTO_HTTP);
EQUAL(protocol_https, CURLPROTO_HTTPS);
EQUAL(information_status, CURLINFO_RESPONSE_CODE);
EQUAL(information_private, CURLINFO_PRIVATE);
EQUAL(set_option_kept_connections, CURLMOPT_MAXCONNECTS);
EQUAL(set_option_host_connections, CURLMOPT_MAX_HOST_CONNECTIONS);
EQUAL(message_done, CURLMSG_DONE);
EQUAL(code_out_of_memory, CURLE_OUT_OF_MEMORY);
#if LIBCURL_VERSION_NUM >= 0x075700
EQUAL(option_quick_exit, CURLOPT_QUICK_EXIT);
#endif
#else
typedef int no_headers;
#endif

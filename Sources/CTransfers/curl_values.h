#pragma once

// The part of libcurl's interface that this target uses, declared here.
//
// libcurl.so.4 comes with the Swift toolchain's Foundation, so it is installed wherever Swift is. Its headers are in a
// package of their own, of which Debian has three that exclude each other. The values are part of libcurl's ABI, which
// hasn't changed since 2006 (https://curl.se/libcurl/abi.html). Values.c compares them with the headers where there are
// any, as in Apple's SDK for macOS.

enum {
  curl_global_default = 3,

  option_follow_location = 52,
  option_post_field_size = 60,
  option_verify_peer = 64,
  option_http_get = 80,
  option_verify_host = 81,
  option_no_signal = 99,
  option_timeout_ms = 155,
  option_connect_timeout_ms = 156,
  option_protocols = 181,
  option_redirect_protocols = 182,
  option_header_destinations = 229,
  option_suppress_connect_headers = 265,
  option_quick_exit = 322,
  option_write_data = 10001,
  option_url = 10002,
  option_proxy = 10004,
  option_post_fields = 10015,
  option_user_agent = 10018,
  option_headers = 10023,
  option_header_data = 10029,
  option_method = 10036,
  option_authorities = 10065,
  option_encodings = 10102,
  option_private = 10103,
  option_write_function = 20011,
  option_header_function = 20079,

  headers_to_server_only = 1,
  protocol_http = 1,
  protocol_https = 2,

  information_status = 0x200002,
  information_private = 0x100015,

  set_option_kept_connections = 6,
  set_option_host_connections = 7,

  message_done = 1,

  code_out_of_memory = 27,
};

#pragma once

#include <libxml/xmlversion.h>
// Debian's headers would include ICU's, whose types Foundation declares in another version.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>

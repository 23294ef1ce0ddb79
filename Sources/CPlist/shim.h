#pragma once

#include <plist/plist.h>

// Strategies that were written for the contest's own sample client begin with this header.
#pragma once

#include "Client.h"

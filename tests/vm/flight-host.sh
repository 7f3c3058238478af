#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# On this machine, for flight-guest.sh: the init script as it is installed for /usr.
set -eu
[ "$1" = prepare ] || exit 0
sed 's|@bindir@|/usr/bin|g; s|@sysconfdir@|/etc|g' "$SOURCE/service/kft-flight.init.in" >kft-flight

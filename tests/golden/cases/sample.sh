# SPDX-License-Identifier: GPL-2.0-only
# What quickstart shows where nothing can be recorded.
cp "$cases/../../../samples/quickstart.dat" .
try kft stats quickstart.dat

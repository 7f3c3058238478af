# SPDX-License-Identifier: GPL-2.0-only
try kft stats v7.dat
try kft stats v6.dat
try kft stats --json v7.dat
try kft stats empty.dat
try kft stats --json empty.dat
try kft stats -C 1 v7.dat
try kft stats --since 0.00001 --until=+12us v7.dat
try kft stats --since=-3us v7.dat
try kft stats -e beat v7.dat
try kft stats -e test:b* v7.dat
try kft stats --only events v7.dat
try kft stats --only cpus --json v7.dat
try kft stats --only tasks v7.dat
try kft stats --only none v7.dat
try kft stats missing.dat
cp v7.dat trace.dat
try kft stats -e nothing
try kft stats -e beta
try kft stats -C 1-
try kft stats --since yesterday
head -c 30000 v7.dat >cut.dat
try kft stats cut.dat
head -c 100 v7.dat >head.dat
try kft stats head.dat
echo nothing >text.dat
try kft stats text.dat
printf "\037\213\010\000" >packed.dat
try kft stats packed.dat
printf "\301\037\374\301\000" >stream_0
try kft stats stream_0
try kft stats .

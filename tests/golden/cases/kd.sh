# SPDX-License-Identifier: GPL-2.0-only
# The rows that the document on KFT shows of the boot of a PC (Appendix B) and of an OMAP.
cat >pc.lst <<'EOF'

Kernel Instrumentation Run ID 0

Logging started at 6785045 usec by entry to function start_kernel
Logging stopped at 8423650 usec by entry to function to_userspace

Filters:
	500 usecs minimum execution time

Filter Counters:

Execution time filter count = 896348
Total entries filtered = 896348
Entries not found = 24

Number of entries after filters = 1757


 Entry      Delta      PID            Function                    Called At
--------   --------   -----   -------------------------   -------------------------
       1          0       0                start_kernel   L6+0x0
      14       8687       0                  setup_arch   start_kernel+0x35
      39        891       0                setup_memory   setup_arch+0x2a8
      53        872       0   register_bootmem_low_pages   setup_memory+0x8f
      54        871       0                free_bootmem   register_bootmem_low_pages+0x95
      54        871       0           free_bootmem_core   free_bootmem+0x34
     930       7432       0                 paging_init   setup_arch+0x2af
     935       7427       0             zone_sizes_init   paging_init+0x4e
     935       7427       0              free_area_init   zone_sizes_init+0x83
     935       7427       0         free_area_init_node   free_area_init+0x4b
     935       3759       0        __alloc_bootmem_node   free_area_init_node+0xc5
     935       3759       0        __alloc_bootmem_core   __alloc_bootmem_node+0x43
    4694       3668       0         free_area_init_core   free_area_init_node+0x75
    4817       3535       0            memmap_init_zone   free_area_init_core+0x2bd
    8807     266911       0                   time_init   start_kernel+0xb6
    8807     261404       0               get_cmos_time   time_init+0x1c
  270211       5507       0                select_timer   time_init+0x41
  270211       5507       0                    init_tsc   select_timer+0x45
  270211       5507       0               calibrate_tsc   init_tsc+0x6c
  275718       1638       0                console_init   start_kernel+0xbb
  275718       1638       0                    con_init   console_init+0x59
  275954        733       0          vgacon_save_screen   con_init+0x288
  277376       6730       0                    mem_init   start_kernel+0xf8
  277376       1691       0            free_all_bootmem   mem_init+0x52
  277376       1691       0       free_all_bootmem_core   free_all_bootmem+0x24
  284118      25027       0             calibrate_delay   start_kernel+0x10f
  293860        770       0                     __delay   calibrate_delay+0x62
  293860        770       0                   delay_tsc   __delay+0x26
  294951       1534       0                     __delay   calibrate_delay+0x62
  294951       1534       0                   delay_tsc   __delay+0x26
  297134       1149       0                     __delay   calibrate_delay+0xbe
  297134       1149       0                   delay_tsc   __delay+0x26
 1638605          0     145              filemap_nopage   do_no_page+0xef
 1638605          0     145                 __lock_page   filemap_nopage+0x286
 1638605          0     145                 io_schedule   __lock_page+0x95
 1638605          0     145                    schedule   io_schedule+0x24
 1638605          0       5                    schedule   worker_thread+0x217
 1638605          0       1                to_userspace   init+0xa6
EOF
cat >omap.lst <<'EOF'
 Entry      Delta      PID            Function                    Called At
--------   --------   -----   -------------------------   --------------------------
   23662       1333       0                    con_init   console_init+0x78
   25375     209045       0             calibrate_delay   start_kernel+0xf0
  234425     106067       0                    mem_init   start_kernel+0x130
  234432     105278       0       free_all_bootmem_node   mem_init+0xc8
  234435     105270       0       free_all_bootmem_core   free_all_bootmem_node+0x28
  340498       4005       0       kmem_cache_sizes_init   start_kernel+0x134
EOF
try kft kd -n 10 pc.lst
try kft kd -t 100000 pc.lst
try kft kd -f Fcatlmn pc.lst
try kft kd -l omap.lst
try kft kd -f Fru -s c omap.lst
try kft kd -f FxTL omap.lst
try kft kd -s F -n 3 omap.lst
try kft kd -c omap.lst
try kft kd -c -l -i pc.lst
try kft kd -c -r -l omap.lst

# Linux 2.6.29 and later: CPUs, interrupts, -1, -2, names and addresses, arguments, old
# "no exit", a CPU above 9, a second log behind the first.
cat >smp.lst <<'EOF'
 Entry      Delta      PID            Function                    Called At
--------   --------   -----   -------------------------   --------------------------
      10        100     412.3                    sys_read   ret_fast_syscall+0x0   0xc7 0x1 0x2 0x3
      20         30     412.3                    vfs_read   sys_read+0x40
      25          5      -1.3                      do_IRQ   ret_from_intr+0x0
      25          7      -1.13                     do_IRQ   ret_from_intr+0x0
      60         -1     412.9                    schedule   sys_read+0x50
      70         20     412.3                  0xc0200000   sys_read+0x60
      75         -2     412.3                      rw_deep   0xc0200000+0x4
     200    no exit     412.3                     do_exit   sys_exit+0x8
     205         10     412.3                     exit_mm   do_exit+0x8

Kernel Instrumentation Run ID 1

Number of entries after filters = 2

--------   --------   -----   -------------------------   --------------------------
       0          8     412.3                     exit_mm   do_exit+0x8
this is no row
EOF
try kft kd -f Fctarl smp.lst
try kft kd -c -l -i smp.lst
try kft kd -c -r -f ep -d 2 -m 10 smp.lst

# Where the original was wrong: recursion, and the callee with most time under its caller.
cat >nested.lst <<'EOF'
--------
       0        100       1   a   x+0x1
      10         80       1   b   a+0x1
      20         60       1   a   b+0x1
      30         20       1   c   a+0x1
     200         10       1   d   x+0x1
     201          1       1   c   d+0x1
     203          5       1   e   d+0x1
EOF
try kft kd -f Fctaslmn nested.lst
try kft kd -c -f tl nested.lst

try kft kd -s x pc.lst
try kft kd -t ten pc.lst
try kft kd -c -d 1001 pc.lst
try kft kd missing.lst
echo nothing >text.lst
try kft kd text.lst
try kft kd -V
printf -- '--------\n1 2 3 name\033[31m c\n%0100000d\n' 0 | kft kd - 2>&1

# Writes a line a second about this machine, cumulative where the kernel counts so, until a file "stop" appears or the folder is gone.
exec awk '
  function figures(    f, line, i, all, cpu, free, rx, tx, rd, wr) {
    getline line < "/proc/stat"; close("/proc/stat")
    split(line, f, " ")
    for (i = 2; i <= 9; i++) all += f[i]
    cpu = (f[2] + f[3]) "," (f[4] + f[7] + f[8]) "," f[6] "," f[9] "," all
    while ((getline line < "/proc/meminfo") > 0) if (split(line, f, " ") && f[1] == "MemAvailable:") free = f[2]
    close("/proc/meminfo")
    while ((getline line < "/proc/net/dev") > 0) if (sub(":", " ", line) && split(line, f, " ") > 9) { rx += f[2]; tx += f[10] }
    close("/proc/net/dev")
    # whole disks only: a partition counts what its disk counts
    while ((getline line < "/proc/diskstats") > 0)
      if (split(line, f, " ") > 10 && f[3] ~ /^(sd[a-z]+|vd[a-z]+|xvd[a-z]+|nvme[0-9]+n[0-9]+|mmcblk[0-9]+)$/) { rd += f[6]; wr += f[10] }
    close("/proc/diskstats")
    return cpu "," free "," sprintf("%.0f,%.0f,%.0f,%.0f", rx, tx, rd, wr)
  }
  BEGIN {
    out = "machine.csv"
    print "ms,cpu_user_ticks,cpu_system_ticks,cpu_iowait_ticks,cpu_steal_ticks,cpu_all_ticks,memory_available_kb,received_bytes,sent_bytes,read_sectors,written_sectors" > out
    do {
      "date +%s%3N" | getline ms; close("date +%s%3N")
      print ms "," figures() > out; fflush(out)
    } while (system("sleep 1; [ -e machine.csv ] && [ ! -e stop ]") == 0)
  }'

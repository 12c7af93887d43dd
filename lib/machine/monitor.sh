# Writes a line a second about this machine until a file "stop" appears or the folder is gone. Columns: shares of the
# CPUs' time since the line before (0..1; user includes nice, system includes interrupts), memory in bytes, network and
# disk in bytes since the line before, and the processor time of a fixed piece of work in us. The latter alone shows
# whether the host changes the speed of a virtual machine. Machine::Glanceable reads the columns in this order.
# Every few seconds programs.csv gets the shares that programs outside of the run took: "*" for all of them, and those
# of the larger ones. The run has the sessions of the keepers of start.sh, and PostgreSQL. The Testmaster itself is
# named Testmaster: a Ruby that works in its folder.
# usage: monitor.sh FOLDER [COUNT [INTERFACE]]      FOLDER: of the Testmaster, if it is on this machine; COUNT, if it is
#        not 0: only print the time of the fixed piece of work so many times; INTERFACE: of the network, not counted
TESTMASTER=${1-} exec awk -v count="${2:-0}" -v uncounted="${3-}" '
  function read(    f, line, i) {
    all = idle = steal = rx = tx = rd = wr = 0
    getline line < "/proc/stat"; close("/proc/stat")
    split(line, f, " ")
    for (i = 2; i <= 9; i++) all += f[i]
    idle = f[5] + f[6]; steal = f[9]; user = f[2] + f[3]; sys = f[4] + f[7] + f[8]
    while ((getline line < "/proc/meminfo") > 0) {
      split(line, f, " ")
      if (f[1] == "MemTotal:") total = f[2]
      if (f[1] == "MemAvailable:") free = f[2]
    }
    close("/proc/meminfo")
    while ((getline line < "/proc/net/dev") > 0)
      if (sub(":", " ", line) && split(line, f, " ") > 9 && f[1] != uncounted) { rx += f[2]; tx += f[10] }
    close("/proc/net/dev")
    # only whole disks count: a disk includes its partitions; a sector has 512 bytes on every disk
    while ((getline line < "/proc/diskstats") > 0)
      if (split(line, f, " ") > 10 && f[3] ~ /^(sd[a-z]+|vd[a-z]+|xvd[a-z]+|nvme[0-9]+n[0-9]+|mmcblk[0-9]+)$/) {
        rd += f[6] * 512; wr += f[10] * 512
      }
    close("/proc/diskstats")
  }
  # the kernel updates this when a process leaves its processor, which it does to wait for another
  function processor_ns(    f, line) {
    line = ""
    getline line < "/proc/self/schedstat"; close("/proc/self/schedstat")
    return split(line, f, " ") > 2 ? f[1] : 0
  }
  function work(    i, x) {
    for (i = x = 0; i < 50000; i++) x = (x * 31 + i) % 8191
  }
  function print_share(name, share) {
    if (share < 0) share = 0
    if (share > 1) share = 1
    printf "%s,%s,%.4f\n", ms, name, share > programs_csv
  }
  # Returns the name of a program for the table. The folder of a Ruby is looked up once.
  function name_of(pid, name) {
    gsub(/[^A-Za-z0-9_.:+-]/, "_", name)
    if (name !~ /^(ruby|bundle|puma|sidekiq)/) return name
    if (!(pid in rubies)) rubies[pid] = system("[ /proc/" pid "/cwd -ef \"$TESTMASTER\" ]") == 0 ? "Testmaster" : name
    return rubies[pid]
  }
  # fields of /proc/PID/stat behind the name: 4 is the session, 12 and 13 are the ticks of user and system
  function programs(    line, name, f, pid, ours, spent, own, share, sum, known) {
    while (("cat ../*/keeper 2>/dev/null" | getline line) > 0) ours[line + 0] = 1
    close("cat ../*/keeper 2>/dev/null")
    while (("cat /proc/[0-9]*/stat 2>/dev/null" | getline line) > 0) {
      if (!match(line, /^[0-9]+ \(.*\) /)) continue
      pid = line + 0
      name = substr(line, index(line, "(") + 1, RLENGTH - index(line, "(") - 2)
      split(substr(line, RLENGTH + 1), f, " ")
      name = name_of(pid, name)
      known[pid] = f[12] + f[13]
      spent = known[pid] - ticks[pid]
      if (!seen || spent <= 0) continue
      if (f[4] in ours || name == "postgres") own += spent
      else sum[name] += spent
    }
    close("cat /proc/[0-9]*/stat 2>/dev/null")
    if (seen && all > all1) {
      share = ((all - idle - steal) - (all1 - idle1 - steal1) - own) / (all - all1)
      print_share("*", share)
      for (name in sum)
        if (sum[name] >= (all - all1) / 100) print_share(substr(name, 1, 15), sum[name] / (all - all1))
      fflush(programs_csv)
    }
    for (pid in rubies) if (!(pid in known)) delete rubies[pid]
    for (pid in ticks) delete ticks[pid]
    for (pid in known) ticks[pid] = known[pid]
    seen = 1; all1 = all; idle1 = idle; steal1 = steal
  }
  function keep() {
    all0 = all; idle0 = idle; steal0 = steal; user0 = user; sys0 = sys
    rx0 = rx; tx0 = tx; rd0 = rd; wr0 = wr
  }
  function time_of_work(    before) {
    before = processor_ns(); work()
    "date +%s%3N" | getline ms; close("date +%s%3N")
    return before > 0 ? sprintf("%.1f", (processor_ns() - before) / 1000) : "NaN"
  }
  BEGIN {
    if (count > 0) {
      while (count-- > 0) print time_of_work()
      exit
    }
    out = "machine.csv"
    print "ms,cpu,steal,memory_used,memory_total,net_rx,net_tx,disk_read,disk_written,user,system,fixed_work" > out
    fflush(out)
    programs_csv = "programs.csv"
    print "ms,program,share" > programs_csv
    fflush(programs_csv)
    read(); keep(); programs()
    while (system("sleep 1; [ -e machine.csv ] && [ ! -e stop ]") == 0) {
      took = time_of_work()
      read()
      if (all > all0)
        printf "%s,%.4f,%.4f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.4f,%.4f,%s\n", ms,
          1 - (idle - idle0) / (all - all0), (steal - steal0) / (all - all0),
          (total - free) * 1024, total * 1024, rx - rx0, tx - tx0, rd - rd0, wr - wr0,
          (user - user0) / (all - all0), (sys - sys0) / (all - all0), took > out
      fflush(out); keep()
      if (++lines % 5 == 0) programs()
    }
  }'

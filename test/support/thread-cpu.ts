/**
 * What this thread has used of a processor so far, milliseconds: of a time that is measured, the part which
 * is the program's and not that of whatever else the machine does.
 */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Processor time of this thread so far, in ms: whoever else is at work on the machine counts not. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

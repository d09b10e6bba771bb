const text = 'conclave '.repeat(1_000_000);
let floor: number | null = null;

/**
 * Processor time of this thread so far, as a ratio to a floor of the same run: one plain loop over
 * nine million characters. So a limit on it holds on a slow machine too, and not where time grows
 * with the square of the input.
 */
export function cpuFloors(): number {
  floor ??= Math.min(oneLoop(), oneLoop(), oneLoop());
  return cpuMs() / floor;
}

function oneLoop(): number {
  const start = cpuMs();
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = Math.trunc(sum / 2) + text.charCodeAt(at);
  return sum > 0 ? cpuMs() - start : 0;
}

/** Processor time of this thread so far, in ms: whoever else is at work on the machine counts not. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

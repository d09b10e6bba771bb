/**
 * The time of the screens, in ms since the epoch: it goes on evenly where the system’s clock is set
 * while the program runs.
 */
export function steadyNow(): number {
  return performance.timeOrigin + performance.now();
}

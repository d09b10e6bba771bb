// Says how much of the contract tests runs: `CONCLAVE_CONTRACT=short`, nothing, or `full`.
import { type CliName, realClis } from './real-clis.ts';

const extent = process.env['CONCLAVE_CONTRACT'];

/** Whether each failure is tried with each CLI in a whole session, and what is random many times. */
export const isFull = extent === 'full';

/** Whether only what every change is held to runs: a failure of each category, and the essentials. */
export const isShort = extent === 'short';

/** How often what depends on the moment is tried with each CLI. */
export const repeats = isFull ? 10 : 2;

/** Whether the CLI asks again for so long after this failure that only the full form waits for it. */
export function isPatient(name: CliName, what: string): boolean {
  return realClis[name].outwaits?.test(what) ?? false;
}

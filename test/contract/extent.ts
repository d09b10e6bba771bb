import { type CliName, cliNames } from './real-clis.ts';

const extent = process.env['CONCLAVE_CONTRACT'];

/** Whether each failure is tried with each CLI in a whole session, and what is random many times. */
export const isFull = extent === 'full';

/** How often what depends on the moment is tried with each CLI. */
export const repeats = { full: 10, short: 1 }[String(extent)] ?? 2;

/** All of the cases, or in the short form this CLI’s share of them: each case is tried with one. */
export function shareOf<Case>(name: CliName, cases: readonly Case[]): readonly Case[] {
  if (extent !== 'short') return cases;
  return cases.filter((_, index) => index % cliNames.length === cliNames.indexOf(name));
}

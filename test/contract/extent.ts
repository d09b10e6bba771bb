import { type CliName, cliNames, realClis } from './real-clis.ts';

const extent = process.env['CONCLAVE_CONTRACT'];

/** Whether each failure is tried with each CLI in a whole session, and what is random many times. */
export const isFull = extent === 'full';

/** Whether what takes long with every CLI is tried with one. */
export const isShort = extent === 'short';

/** How often what depends on the moment is tried with each CLI. */
export const repeats = { full: 10, short: 1 }[String(extent)] ?? 2;

/** All of the cases, or in the short form this CLI’s share of them: each case is tried with one. */
export function shareOf<Case>(
  name: CliName,
  {
    cases,
    takes = () => true,
  }: {
    readonly cases: readonly Case[];
    /** Whether the case can be tried with that CLI. */
    readonly takes?: (one: CliName, oneCase: Case) => boolean;
  },
): readonly Case[] {
  if (!isShort) return cases;
  return cases.filter((oneCase, index) => {
    const takers = cliNames.filter((one) => takes(one, oneCase));
    return takers[index % takers.length] === name;
  });
}

/** Whether only the essentials are tried with this CLI: in the short form, with one that starts slowly. */
export function isBrief(name: CliName): boolean {
  return isShort && realClis[name].startsWithin > 12_000;
}

/** All of the cases, or the first where there is only time for the essentials. */
export function fewFor<Case>(name: CliName, cases: readonly Case[]): readonly Case[] {
  return isBrief(name) ? cases.slice(0, 1) : cases;
}

/** Whether the CLI asks again for so long after this failure that only the full form waits for it. */
export function isPatient(name: CliName, what: string): boolean {
  return realClis[name].outwaits?.test(what) ?? false;
}

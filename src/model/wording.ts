// Builds pieces of sentences: one line, counted things, lists of names.
import { cleanText } from './clean-text.ts';
import type { Plan } from './plan.ts';
import type { PlannedProof } from './proof.ts';
import type { Convergence } from './synthesis.ts';

/** Puts a text on one line, without runs of white space. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

/** Puts a text between quotation marks that it does not contain. */
export function inQuotes(text: string): string {
  return text.includes('"') ? `“${text}”` : `"${text}"`;
}

/** The words of anything that was thrown. */
export function wordsOfError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Makes a text a part of a sentence: on one line, without a full stop. */
export function clause(text: string): string {
  return oneLine(cleanText(text)).replace(/[.;]+$/, '');
}

/** Shows a text from outside in a message: safe for a terminal, on one line, and not longer than 120 characters. */
export function shortText(text: string): string {
  return oneLine(cleanText(text)).slice(0, 120);
}

/** Cuts a text to a number of characters, the last of which then says so. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  // This avoids cutting a character in half.
  const kept = text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '');
  return `${kept.trimEnd()}…`;
}

/** Puts a text on one line and ends it like a sentence. */
export function sentence(text: string): string {
  const line = oneLine(text);
  return /[.!?:…。！？]$/u.test(line) ? line : `${line}.`;
}

/** Counts things in words: `1 task`, `2 tasks`, `2 processes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Joins names: `a`, `a and b`, `a, b and c`; empty without any. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** Quotes a word for a shell. */
export function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The verdicts on a plan that already existed, as they follow “is”. */
export const verdictWords = {
  sound: 'sound',
  revise: 'to be revised',
  unsure: 'unproven',
} as const;

/** The form of the verb for one or several subjects: `supports`, `support`. */
export function verbFor(subjects: readonly string[], stem: string): string {
  return subjects.length === 1 ? `${stem}s` : stem;
}

/** Compares by code units: the same on every machine, whatever its language. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Removes duplicates and keeps the order. */
export function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted(compareTexts);
}

const longestTitle = 80;

/** The task text as a title: its first sentence, cut between words if it is long. */
export function titleOf(taskText: string): string {
  const line = oneLine(firstBlock(taskText.slice(0, 20 * longestTitle)));
  const [, first = line] = /^(.+?[.!?])\s/.exec(line) ?? [];
  if (first.length <= longestTitle) return first === line ? line : first.replace(/\.$/, '');
  const cut = first.slice(0, longestTitle).replace(/\s+\S*$/, '');
  return `${cut}…`;
}

/** A heading, or else the text up to the first empty line. */
function firstBlock(text: string): string {
  const [, heading] = /^\s*#{1,6}[ \t]+(.*\S)/.exec(text) ?? [];
  return heading ?? text.trim().split(/\n[ \t]*\n/, 1)[0] ?? '';
}

/** The longest quote, in characters: the request is at the beginning, and the package has the whole text. */
const longestTaskQuote = 240;

/** The user’s task text on one line in quotes, for a task file that is read by itself. */
export function quoteTask(taskText: string): string {
  // Much of it may be white space, so more is read than is kept.
  const characters = Array.from(oneLine(taskText.slice(0, 20 * longestTaskQuote)));
  const isCut = characters.length > longestTaskQuote || taskText.length > 20 * longestTaskQuote;
  const kept = characters.slice(0, longestTaskQuote).join('').trimEnd();
  return `“${kept}${isCut ? '…' : ''}”`;
}

/** Says `rejected: too large`, or `rejected` without a reason. */
export function rejectionText({ why }: { readonly why: string }): string {
  return why === '' ? 'rejected' : `rejected: ${oneLine(why)}`;
}

/** One line about a proof, e.g. `P1 aborting during the wait rejects at once · fails today`. */
export function proofLine(proof: NonNullable<ProofFacts['proofs']>[number]): string {
  return `${proof.id} ${clause(proof.sentence)} · ${proof.state} today`;
}

/** Says how many proofs fail today, and how many are guards. */
export function proofCounts(proofs: NonNullable<ProofFacts['proofs']>): string {
  const count = (state: string, one: string, verb: string) => {
    const { length } = proofs.filter((proof) => proof.state === state);
    return `${counted(length, one)} ${length === 1 ? `${verb}s` : verb}`;
  };
  return `${count('fails', 'test', 'fail')} today, ${count('holds', 'guard', 'hold')}`;
}

type ProofFacts = Pick<Plan, 'dropped_proofs' | 'unproven'> & {
  readonly proofs?: readonly Pick<PlannedProof, 'id' | 'sentence' | 'state'>[] | undefined;
};

/** All that a plan says of its proofs, one line each: those that count, those that do not, what none can show. */
export function proofTexts({
  proofs = [],
  dropped_proofs: dropped = [],
  unproven = [],
}: ProofFacts): readonly string[] {
  return [
    ...proofs.map(proofLine),
    ...dropped.map((one) => `${one.id} ${clause(one.sentence)} · dropped: ${clause(one.why)}`),
    ...unproven.map(({ what, guarded_by: guards }) => {
      const by = guards.length === 0 ? 'nothing guards it' : `guarded by ${listed(guards)}`;
      return `not tested: ${clause(what)} · ${by}`;
    }),
  ];
}

/** Says whether the agents agree; what they want to know is asked separately. */
export function agreementText({ recommendation }: Pick<Convergence, 'recommendation'>): string {
  return recommendation === 'converged' ? 'agreement reached' : 'no agreement yet';
}

/** Writes milliseconds for people: `0.4 s`, `12 s`, `3 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  return clockTime(Math.round(ms / 1000) * 1000);
}

/** Writes milliseconds like a running clock, in whole seconds: `7 s`, `3 min 5 s`, `4 h 2 min`. */
export function clockTime(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  if (whole < 120) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 120
    ? `${minutes} min ${whole % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

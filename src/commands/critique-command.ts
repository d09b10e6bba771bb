// Runs `conclave critique --fast`: checks what a plan names against the code; reads the user's plans.
import { createReadStream } from 'node:fs';
import { cleanText } from '../model/clean-text.ts';
import type { NamedPlace, PlaceStatus, Verdict } from '../model/critique.ts';
import { wrongUsage } from '../model/failure.ts';
import { counted } from '../model/wording.ts';
import { type CheckedPlan, notFoundText } from '../phases/critique/judge-places.ts';
import { checkPlan } from '../phases/critique/check-work-tree.ts';
import { isAbsent, isSystemError } from '../store/system-error.ts';
import { bold, printJson, printPage } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';
import { bytesWithin } from './task-text.ts';
import { interruptible } from './wiring/interruptions.ts';

/** The largest size of a plan, in bytes. */
const largestPlan = 1024 * 1024;

/** `conclave critique --fast [PLAN.md|-]`; the exit code is 4 if a place is wrong. */
export async function checkPlaces(
  [file = '-', ...more]: readonly string[],
  { root, json }: Pick<CommonOptions, 'root' | 'json'>,
): Promise<number> {
  if (more.length > 0)
    throw wrongUsage('"conclave critique --fast" takes one plan: a file, or - for standard input.');
  const plan = await planText(file);
  const { places, unchecked } = await interruptible(({ signal }) => checkPlan(plan, root, signal));
  const verdict = verdictOn(places);
  if (json) printJson({ verdict, not_found: notFoundText(places), places, unchecked });
  else printPage(pageOf({ places, unchecked }));
  return verdict === 'revise' ? 4 : 0;
}

/** Judges a plan by its places; one without any place that exists or is created is not called sound. */
function verdictOn(places: readonly NamedPlace[]): Verdict {
  if (places.some(({ status }) => status === 'wrong')) return 'revise';
  return places.some(({ status }) => status !== 'not-found') ? 'sound' : 'unsure';
}

/** The text of a plan in a file or on standard input. Throws `usage` if there is none. */
export async function planText(file: string): Promise<string> {
  const text = (await planBytes(file)).toString('utf8');
  if (text.trim() === '')
    throw wrongUsage(
      file === '-'
        ? 'The plan on standard input is empty; name its file, e.g. conclave critique plan.md.'
        : `The plan ${file} is empty.`,
    );
  return text;
}

async function planBytes(file: string): Promise<Buffer> {
  const stream = file === '-' ? process.stdin : createReadStream(file);
  const why = `The plan ${file} has more than ${largestPlan} bytes.`;
  try {
    return await bytesWithin(stream, { most: largestPlan, why });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (isAbsent(error)) throw wrongUsage(`There is no file ${file}.`);
    const isFolder = error.code === 'EISDIR';
    throw wrongUsage(
      `${file} ${isFolder ? 'is a folder, not a file' : `cannot be read (${error.code})`}.`,
    );
  }
}

const marks: Readonly<Record<PlaceStatus, string>> = {
  wrong: '✗ wrong',
  elsewhere: '? elsewhere',
  new: '+ new',
  'not-found': '? not found',
  there: '✓ there',
};

/** Shows the wrong places first; places that exist are only counted. */
function pageOf({ places, unchecked }: CheckedPlan<NamedPlace>): readonly string[] {
  if (places.length === 0) {
    return [
      'The plan names no file, no line and no name of the code, so nothing could be checked.',
    ];
  }
  const shown = (['wrong', 'elsewhere', 'not-found', 'new'] as const).flatMap((status) =>
    places.filter((one) => one.status === status),
  );
  const lines = shown.map(({ status, text, plan_line: at, why }) => {
    const place = `${marks[status].padEnd(11)}  ${bold(cleanText(text))} (line ${at} of the plan)`;
    return why === '' ? place : `${place}: ${cleanText(why)}`;
  });
  const there = places.filter(({ status }) => status === 'there').length;
  const wrong = places.filter(({ status }) => status === 'wrong').length;
  const rest = notFoundText(places);
  return [
    ...lines,
    ...(lines.length === 0 ? [] : ['']),
    `${counted(places.length, 'place')} checked: ${there} there, ${wrong} wrong.`,
    ...(rest === null ? [] : [rest]),
    ...(unchecked === null ? [] : [unchecked]),
  ];
}

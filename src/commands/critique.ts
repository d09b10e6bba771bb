// Runs `conclave critique`: checks what a plan names against the code, for people, programs and hosts.
import { createReadStream } from 'node:fs';
import { filesWithWords, listWorkFiles, readWorkFile } from '../git/look-up.ts';
import { cleanText } from '../model/clean-text.ts';
import { wrongUsage } from '../model/failure.ts';
import { counted } from '../model/wording.ts';
import {
  type CheckedPlace,
  checkPlanPlaces,
  type PlaceStatus,
} from '../phases/critique/check-places.ts';
import { isAbsent, isSystemError } from '../store/system-error.ts';
import { alignColumns, bold, pageWidth, printJson, printPage } from './output.ts';
import type { CommonOptions } from './program/options.ts';
import { interruptible } from './wiring/interruptions.ts';

/** In bytes. */
const largestPlan = 1024 * 1024;

/** `conclave critique [PLAN.md|-]`; ends with 4 where a place is wrong. */
export async function critiqueCommand(
  [file = '-', ...more]: readonly string[],
  { root, json, fast = false }: CommonOptions,
): Promise<number> {
  if (more.length > 0)
    throw wrongUsage('"conclave critique" takes one plan: a file, or - for standard input.');
  if (!fast) throw wrongUsage('"conclave critique" checks places only so far; say so with --fast.');
  const plan = await planText(file);
  const places = await interruptible(({ signal }) => checkPlan(plan, root, signal));
  const wrong = places.filter(({ status }) => status === 'wrong');
  const verdict = wrong.length === 0 ? 'sound' : 'revise';
  if (json) printJson({ verdict, places: places.map(placeFacts) });
  else printPage(pageOf(places, pageWidth()));
  return wrong.length === 0 ? 0 : 4;
}

/** Checks a plan against the files of a project as they are now. */
export async function checkPlan(
  plan: string,
  root: string,
  signal: AbortSignal,
): Promise<readonly CheckedPlace[]> {
  const target = { root, signal };
  return await checkPlanPlaces(plan, {
    list: () => listWorkFiles(target),
    read: (path) => readWorkFile(target, path),
    find: (words) => filesWithWords(target, words),
  });
}

async function planText(file: string): Promise<string> {
  const stream = file === '-' ? process.stdin : createReadStream(file);
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of stream) {
      const bytes = Buffer.from(part);
      length += bytes.length;
      if (length > largestPlan)
        throw wrongUsage(`The plan ${file} has more than ${largestPlan} bytes.`);
      parts.push(bytes);
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw wrongUsage(
      isAbsent(error) ? `There is no file ${file}.` : `${file} cannot be read (${error.code}).`,
    );
  }
  const text = Buffer.concat(parts).toString('utf8');
  if (text.trim() === '')
    throw wrongUsage(`The plan ${file === '-' ? 'on standard input' : file} is empty.`);
  return text;
}

function placeFacts({ kind, text, path, line, at, status, why }: CheckedPlace) {
  return { kind, text, path, line, plan_line: at, status, why };
}

const marks: Readonly<Record<PlaceStatus, string>> = {
  wrong: '✗ wrong',
  elsewhere: '? elsewhere',
  new: '+ new',
  there: '✓ there',
};

/** The wrong ones first; those that are there are only counted. */
function pageOf(places: readonly CheckedPlace[], width: number): readonly string[] {
  if (places.length === 0) {
    return [
      'The plan names no file, no line and no name of the code, so nothing could be checked.',
    ];
  }
  const shown = (['wrong', 'elsewhere', 'new'] as const).flatMap((status) =>
    places.filter((one) => one.status === status),
  );
  const rows = shown.map(({ status, text, at, why }) => [
    marks[status],
    bold(cleanText(text)),
    `line ${at} of the plan${why === '' ? '' : `: ${cleanText(why)}`}`,
  ]);
  const there = places.filter(({ status }) => status === 'there').length;
  const wrong = places.filter(({ status }) => status === 'wrong').length;
  return [
    ...alignColumns(rows, width),
    ...(rows.length === 0 ? [] : ['']),
    `${counted(places.length, 'place')} checked: ${there} there, ${wrong} wrong.`,
  ];
}

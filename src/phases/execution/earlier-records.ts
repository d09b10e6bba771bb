// Keeps what an execution has written before the same plan is executed again.
import { mkdir, readdir, rename } from 'node:fs/promises';
import { parseStep, steps } from '../../model/steps.ts';
import { foldSteps } from '../../store/recorded-steps.ts';
import { nullIfAbsent } from '../../store/system-error.ts';
import { isRecorded } from '../phase-tools.ts';
import type { Execution } from './execution-team.ts';

/**
 * Copies the result and its review to `execution/N/earlier-M`, and moves the prompts and outputs of restarted
 * tasks there. Does nothing in the first execution.
 */
export async function keepEarlier({ tools, number, tasks }: Execution): Promise<void> {
  const { folder } = tools;
  const own = `execution/${number}`;
  const names = (await nullIfAbsent(readdir(folder.absolute(own)))) ?? [];
  const again = tasks.filter(
    ({ id }) =>
      names.includes(id) &&
      !isRecorded(tools, steps.task(number, id).finish) &&
      firstAsked(tools, steps.task(number, id).work) === null,
  );
  const isFirst = (await folder.read('execution-result.json')) === null && again.length === 0;
  if (isFirst) return;
  const place = `${own}/earlier-${1 + names.filter((name) => name.startsWith('earlier-')).length}`;
  for (const name of resultFiles) {
    const text = await folder.read(name);
    if (text !== null) await folder.write(`${place}/${name}`, text);
  }
  for (const { id } of again) {
    await mkdir(folder.absolute(place), { recursive: true, mode: 0o700 });
    await nullIfAbsent(rename(folder.absolute(`${own}/${id}`), folder.absolute(`${place}/${id}`)));
  }
}

const resultFiles = [
  'execution-result.json',
  'execution-result.diff',
  'code-review.json',
  'code-review.md',
];

/** The agent of the first call that counts; null if there was no call. */
export function firstAsked(
  { execution }: Pick<Execution['tools'], 'execution'>,
  { path }: { readonly path: string },
): string | null {
  const key = [...foldSteps(execution.records).keys()].find((one) => one.startsWith(`${path}/`));
  const step = key === undefined ? null : parseStep(key);
  return step?.kind === 'work' ? step.agent : null;
}

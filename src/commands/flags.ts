import { z } from 'zod';
import { CodeReviewTool, ExecutionMethod } from '../model/decision.ts';
import { Stopped } from '../model/failure.ts';
import { settingsTable } from '../model/settings.ts';
import { type Leaf, mergeLeaves, reader } from './settings/leaf.ts';
import { flagLeaves } from './settings/text-leaves.ts';
import { workingFolder } from './working-folder.ts';

const flag = z.boolean().default(false);

/** The flags that belong to one run only; the others are settings. */
const RunFlags = z.object({
  json: flag,
  screenReader: flag,
  taskFile: someText().optional(),
  feedback: someText().optional(),
  solution: optionNumber().optional(),
  execution: choice(ExecutionMethod.options).optional(),
  review: choice(CodeReviewTool.options).optional(),
  cwd: z.string().optional(),
});

/** The flags of `conclave plan` and `conclave resume`, as values of the domain. */
export interface SessionFlags extends Omit<z.infer<typeof RunFlags>, 'cwd'> {
  /** Absolute. */
  readonly cwd: string;
  /** What the flags set, for `loadSettings`. */
  readonly settings: readonly Leaf[];
  /** The agents that were named; undefined where none were. */
  readonly tools: readonly string[] | undefined;
  readonly constraint: readonly string[];
}

/** What commander read, checked. Throws `usage`, naming the flag, for a value that cannot be. */
export async function sessionFlags(values: unknown): Promise<SessionFlags> {
  const given = z.record(z.string(), z.unknown()).parse(values);
  const parsed = RunFlags.safeParse(given);
  if (!parsed.success) throw usage(parsed.error);
  const settings = flagLeaves(given);
  const leaves = mergeLeaves(settings);
  const read = reader(leaves);
  return {
    ...parsed.data,
    cwd: await workingFolder(parsed.data.cwd),
    settings,
    tools: leaves.has(settingsTable.tools.path) ? read(settingsTable.tools) : undefined,
    constraint: read(settingsTable.constraints) ?? [],
  };
}

function usage(error: z.ZodError): Stopped {
  const issue = error.issues[0];
  if (issue === undefined) throw error;
  const name = String(issue.path[0]).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return new Stopped({ reason: 'usage', message: `--${name} ${issue.message}.` });
}

function optionNumber(): z.ZodType<number, string> {
  return z
    .string()
    .refine((text) => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 1000, {
      error: ({ input }) => `takes a whole number from 1 to 1000, not ${JSON.stringify(input)}`,
    })
    .transform(Number);
}

/** One of some values, typed as its first word in lower case: `codex` for `Codex Review`. */
function choice<const T extends string>(values: readonly T[]): z.ZodType<T, string> {
  const byWord = new Map(values.map((value) => [firstWord(value), value]));
  return z.string().transform((text, context) => {
    const value = byWord.get(text);
    if (value !== undefined) return value;
    const words = [...byWord.keys()].join(', ');
    const message = `takes one of ${words}, not ${JSON.stringify(text)}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

function firstWord(value: string): string {
  return value.toLowerCase().split(' ')[0] ?? value;
}

function someText(): z.ZodType<string, string> {
  return z
    .string()
    .transform((text) => text.trim())
    .refine((text) => text !== '', { error: () => 'needs a value' });
}

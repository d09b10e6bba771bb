import { z } from 'zod';
import { CodeReviewTool, ExecutionMethod } from '../model/decision.ts';
import { Stopped } from '../model/failure.ts';
import { absoluteFolder, checkFolder } from './working-folder.ts';

const flag = z.boolean().default(false);

const Session = {
  autoYes: flag,
  json: flag,
  screenReader: flag,
  tools: listOfNames().optional(),
  mode: choice(['parallel', 'serial']).optional(),
  maxRounds: wholeNumber({ min: 1, max: 20 }).optional(),
  constraint: z.array(someText()).default([]),
  feedback: someText().optional(),
  solution: wholeNumber({ min: 1, max: 1000 }).optional(),
  execution: choice(ExecutionMethod.options).optional(),
  review: choice(CodeReviewTool.options).optional(),
  requireConvergence: flag,
  model: z
    .array(agentModel())
    .default([])
    .transform(Object.fromEntries<string>),
  timeout: seconds().optional(),
  cwd: z.string().default('.').transform(absoluteFolder),
};

/**
 * The flags of `conclave plan`, from the command line’s words to values of the domain. `cwd` is
 * absolute, `timeout` is in seconds, `model` goes from an agent’s name to a model’s name.
 */
export const PlanFlags = z.strictObject({ ...Session, taskFile: z.string().min(1).optional() });
export type PlanFlags = z.infer<typeof PlanFlags>;

/** The flags of `conclave resume`: those of `plan` without a task. */
export const ResumeFlags = z.strictObject(Session);
export type ResumeFlags = z.infer<typeof ResumeFlags>;

/** Throws `usage`, naming the flag, for a value that cannot be. */
export async function planFlags(values: unknown): Promise<PlanFlags> {
  return await checked(PlanFlags, values);
}

/** Throws `usage`, naming the flag, for a value that cannot be. */
export async function resumeFlags(values: unknown): Promise<ResumeFlags> {
  return await checked(ResumeFlags, values);
}

async function checked<T extends { readonly cwd: string }>(
  shape: z.ZodType<T>,
  values: unknown,
): Promise<T> {
  const parsed = shape.safeParse(values);
  if (!parsed.success) throw usage(parsed.error);
  await checkFolder(parsed.data.cwd);
  return parsed.data;
}

function usage(error: z.ZodError): Stopped {
  const issue = error.issues[0];
  if (issue === undefined) throw error;
  const name = issue.path[0] === 'cwd' ? '-C' : `--${kebab(String(issue.path[0]))}`;
  return new Stopped({ reason: 'usage', message: `${name} ${issue.message}.` });
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function wholeNumber({ min, max }: { min: number; max: number }): z.ZodType<number, string> {
  return z
    .string()
    .refine((text) => /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: ({ input }) => `takes a whole number from ${min} to ${max}, not ${said(input)}`,
    })
    .transform(Number);
}

function seconds(): z.ZodType<number, string> {
  return z
    .string()
    .refine((text) => /^\d+(\.\d+)?$/.test(text) && Number(text) > 0 && Number(text) <= 86_400, {
      error: ({ input }) => `takes seconds, more than 0 and at most 86400, not ${said(input)}`,
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
    context.addIssue({ code: 'custom', message: `takes one of ${words}, not ${said(text)}` });
    return z.NEVER;
  });
}

function firstWord(value: string): string {
  return value.toLowerCase().split(' ')[0] ?? value;
}

function listOfNames(): z.ZodType<string[], string> {
  return z
    .string()
    .transform((text) => [...new Set(text.split(',').map((name) => name.trim()))])
    .refine((names) => names.every((name) => name !== ''), {
      error: () => 'takes names with commas between them, e.g. --tools a,b',
    });
}

function someText(): z.ZodType<string, string> {
  return z
    .string()
    .transform((text) => text.trim())
    .refine((text) => text !== '', { error: () => 'takes some text, not nothing' });
}

function agentModel(): z.ZodType<[string, string], string> {
  return z.string().transform((text, context) => {
    const at = text.indexOf('=');
    if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    context.addIssue({ code: 'custom', message: `takes AGENT=MODEL, not ${said(text)}` });
    return z.NEVER;
  });
}

function said(input: unknown): string {
  return JSON.stringify(input);
}

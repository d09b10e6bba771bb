// Defines the arguments that tools share, and loads jobs at the first call of a tool that needs them.
import { z } from 'zod';
import { isObject, jsonIn } from '../model/json.ts';
import { listed } from '../model/wording.ts';

/**
 * Makes the arguments of a tool of their shapes. Hosts send numbers, lists and objects as JSON text, and
 * null for what is left out. An argument that the tool does not take is refused by its name.
 */
export function toolInput<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? `this tool has no argument ${listed(keys.map(String))}; it takes ${listed(Object.keys(shape))}`
        : undefined,
  });
  return z.preprocess((given) => (isObject(given) ? readTexts(given, shape) : given), known);
}

function readTexts(given: Readonly<Record<string, unknown>>, shape: z.ZodRawShape) {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      const isMisfit = field !== undefined && !z.safeParse(field, value).success;
      const read = isMisfit && typeof value === 'string' ? jsonIn(value) : undefined;
      const meant = read === undefined ? value : read;
      return meant === null ? [] : [[name, meant] as const];
    }),
  );
}

/** Hosts call what only reads without asking anybody; what starts an agent costs money, and sends text away. */
export const reads = { readOnlyHint: true, destructiveHint: false };
export const adds = { readOnlyHint: false, destructiveHint: false };
export const changes = { readOnlyHint: false, destructiveHint: true };

/** The seconds that a tool waits for its job. */
export const WaitSeconds = z
  .number()
  .min(0)
  .max(170)
  .default(45)
  .describe('Seconds to wait for the result; what is not finished then goes on as a job.');

/** The folder of the project. */
export const ProjectFolder = z.string().describe('The folder of the project, as an absolute path.');

/** Its description is made anew for each list of tools. */
export const AgentName = z.string().describe('An agent, or one of its models.');

export const loadJobs = () => import('./job-tools.ts');

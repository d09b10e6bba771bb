// Defines a row of the tool table: what a host is told about a tool, what the tool takes, and what it does.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Stopped } from '../model/failure.ts';
import { isObject, jsonIn } from '../model/json.ts';
import { listed } from '../model/wording.ts';
import { withoutFlags } from './results.ts';
import { type Call, callOf, type ToolHost, Unanswered } from './tool-host.ts';

/** Hosts call tools that only read without asking anyone; starting an agent costs money and sends text away. */
const effects = {
  reads: { readOnlyHint: true, destructiveHint: false },
  adds: { readOnlyHint: false, destructiveHint: false },
  changes: { readOnlyHint: false, destructiveHint: true },
};

interface Row<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly takes: Shape;
  readonly effect: keyof typeof effects;
  act(input: z.infer<z.ZodObject<Shape>>, call: Call): Promise<CallToolResult>;
}

/** Offers a tool on a server. */
export type Tool = (host: ToolHost) => void;

/** Makes a tool from its row. An expected failure becomes a result that says what to do; a bug is thrown. */
export function tool<Shape extends z.ZodRawShape>(row: Row<Shape>): Tool {
  const { name, title, description, takes, effect } = row;
  const about = { title, description, annotations: effects[effect] };
  return (host) => {
    const inputSchema = toolInput(takes);
    host.server.registerTool(name, { ...about, inputSchema }, async (input, ctx) => {
      try {
        return await row.act(input, callOf(host, ctx));
      } catch (error) {
        if (error instanceof Unanswered) return error.question;
        if (!(error instanceof Stopped)) throw error;
        return { isError: true, content: [{ type: 'text', text: withoutFlags(error.message) }] };
      }
    });
  };
}

/**
 * Makes the arguments of a tool from their shapes. Hosts send numbers, lists and objects as JSON text, and null
 * for omitted values. Unknown arguments are refused by name.
 */
function toolInput<Shape extends z.ZodRawShape>(shape: Shape) {
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

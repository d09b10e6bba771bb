// Shapes the results of tools: a text and a structure, each complete alone, in parts that hosts keep.
import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
} from '@modelcontextprotocol/server';
import { Stopped } from '../model/failure.ts';

/** One part of a text for the host, with the number of parts. */
export interface TextPart {
  readonly text: string;
  readonly part: number;
  readonly of: number;
  /** The way to the next part, where there is one. */
  readonly rest?: string;
}

/**
 * Cuts a text into parts of so many bytes, which together are the text, and returns one of them. `call`
 * is the tool that shows another, with its other arguments.
 */
export function textPart(
  text: string,
  { part, most, call }: { readonly part: number; readonly most: number; readonly call: string },
): TextPart {
  const parts: string[] = [];
  for (let left = text; left !== '' || parts.length === 0;) {
    const end = endOfPart(left, most);
    parts.push(left.slice(0, end));
    left = left.slice(end);
  }
  const of = parts.length;
  const at = Math.min(Math.max(part, 1), of);
  const rest = `part ${at} of ${of}: call ${call} and part: ${at + 1} for the rest`;
  return { text: parts[at - 1] ?? '', part: at, of, ...(at < of ? { rest } : {}) };
}

/** Some hosts cut many short lines, too. In bytes. */
const newline = 12;

/** Ends a part at the begin of the text: behind a line or a word, if one ends in its second half. */
function endOfPart(text: string, most: number): number {
  let end = 0;
  let bytes = 0;
  for (const character of text) {
    bytes += character === '\n' ? newline : Buffer.byteLength(character);
    if (bytes > most) break;
    end += character.length;
  }
  if (end === text.length) return end;
  const ends = ['\n', ' '].map((between) => text.lastIndexOf(between, end - 1) + 1);
  return ends.find((one) => one > end / 2) ?? end;
}

/**
 * Hosts show the model only the text, or only the structure, so each holds all of it. `output` is an
 * answer that stands in the text as JSON.
 */
export function toolResult(structure: Record<string, unknown>, output?: unknown): CallToolResult {
  return {
    content: [{ type: 'text', text: textOf(structure) }],
    structuredContent: output === undefined ? structure : { ...structure, output },
  };
}

type Answer = CallToolResult | InputRequiredResult;

/** Ends a call with a question to a person; the host calls again with the answer. */
export class Unanswered extends Error {
  readonly question: InputRequiredResult;
  constructor(question: InputRequiredResult) {
    super('a person has to be asked first');
    this.question = question;
  }
}

/** Turns an expected bad end into a result that says what to do; a bug is thrown. */
export function answering<Input>(
  act: (input: Input, ctx: ServerContext) => Promise<Answer>,
): (input: Input, ctx: ServerContext) => Promise<Answer> {
  return async (input, ctx) => {
    try {
      return await act(input, ctx);
    } catch (error) {
      if (error instanceof Unanswered) return error.question;
      if (!(error instanceof Stopped)) throw error;
      return { isError: true, content: [{ type: 'text', text: withoutFlags(error.message) }] };
    }
  };
}

/** Sentences of failures name flags of the terminal; a host knows the arguments of its tools. */
export function withoutFlags(message: string): string {
  return message
    .replaceAll('--tools', 'agents')
    .replaceAll(/--(context|role|solution|feedback|constraint)\b/g, '$1')
    .replaceAll(
      '"conclave sessions list" shows the saved ones',
      'list_sessions shows the saved ones',
    );
}

function textOf(structure: Record<string, unknown>): string {
  return Object.entries(structure)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => {
      if (typeof value === 'string') {
        return value.includes('\n') ? `${name}:\n${value}` : `${name}: ${value}`;
      }
      return `${name}: ${JSON.stringify(value)}`;
    })
    .join('\n');
}

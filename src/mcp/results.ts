// Shapes the results of tools: a text and a structure, each complete alone, within what hosts keep.
import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
} from '@modelcontextprotocol/server';
import { Stopped } from '../model/failure.ts';

/** Of text and structure together, in characters: some hosts cut the middle out of more. */
const mostCharacters = 8000;
const longestLine = 200;

/** One part of a text for the host, with the number of parts. */
export interface TextPart {
  readonly text: string;
  readonly part: number;
  readonly of: number;
}

/** Parts of a text that leave room for the structure around each. */
export function textPart(text: string, part: number): TextPart {
  // The text stands in both forms of the result.
  const size = mostCharacters / 2 - 600;
  const lines = text.split('\n').flatMap(wrapLine);
  const parts: string[] = [''];
  for (const line of lines) {
    const last = parts.at(-1) ?? '';
    if (last.length + line.length + 1 > size && last !== '') parts.push(line);
    else parts[parts.length - 1] = last === '' ? line : `${last}\n${line}`;
  }
  const at = Math.min(Math.max(part, 1), parts.length);
  return { text: parts[at - 1] ?? '', part: at, of: parts.length };
}

function wrapLine(line: string): readonly string[] {
  if (line.length <= longestLine) return [line];
  return line.match(new RegExp(`.{1,${longestLine}}`, 'gu')) ?? [line];
}

/** Hosts show the model only the text, or only the structure, so each holds all of it. */
export function toolResult(structure: Record<string, unknown>): CallToolResult {
  return {
    content: [{ type: 'text', text: textOf(structure) }],
    structuredContent: structure,
  };
}

type Answer = CallToolResult | InputRequiredResult;

/** Turns an expected bad end into a result that says what to do; a bug is thrown. */
export function answering<Input>(
  act: (input: Input, ctx: ServerContext) => Promise<Answer>,
): (input: Input, ctx: ServerContext) => Promise<Answer> {
  return async (input, ctx) => {
    try {
      return await act(input, ctx);
    } catch (error) {
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

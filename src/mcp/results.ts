// Shapes the results of tools: a text and a structure, each complete on its own, in parts that hosts show in full.
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Call } from './tool-host.ts';

/** Messages of failures name flags of the terminal, but a host knows the arguments of its tools. */
export function withoutFlags(message: string): string {
  return message
    .replaceAll('--tools', 'agents')
    .replaceAll(/--(context|role|solution|feedback|constraint)\b/g, '$1')
    .replaceAll('"conclave sessions list" shows', 'list_sessions shows');
}

/**
 * Makes a result from facts. Hosts show the model only the text, or only the structure, so each contains
 * everything. `output` is an answer that the text contains as JSON.
 */
export function toolResult(
  facts: Readonly<Record<string, unknown>>,
  output?: unknown,
): CallToolResult {
  return {
    content: [{ type: 'text', text: Object.entries(facts).flatMap(factText).join('\n') }],
    structuredContent: output === undefined ? { ...facts } : { ...facts, output },
  };
}

function factText([name, value]: readonly [name: string, value: unknown]): readonly string[] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value !== 'string') return [`${name}: ${JSON.stringify(value)}`];
  return [value.includes('\n') ? `${name}:\n${value}` : `${name}: ${value}`];
}

/**
 * Splits a text into parts that the calling host shows in full, and returns one of them. `from` is the tool that returns another part, with its other arguments.
 */
export function textPart(
  text: string,
  { part, call, from }: { readonly part: number; readonly call: Call; readonly from: string },
) {
  const parts: string[] = [];
  for (let left = text; left !== '' || parts.length === 0;) {
    const end = endOfPart(left, call.mostText);
    parts.push(left.slice(0, end));
    left = left.slice(end);
  }
  const of = parts.length;
  const at = Math.min(part, of);
  const rest = `part ${at} of ${of}: call ${from} and part: ${at + 1} for the rest`;
  return { text: parts[at - 1] ?? '', part: at, of, ...(at < of && { rest }) };
}

/** The number of bytes that a line break counts as, because some hosts also cut many short lines. */
const newline = 12;

/** The end of a part at the start of the text: after a line or a word, if one ends in its second half. */
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

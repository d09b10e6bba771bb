// Shapes the results of tools: a text and a structure, each complete alone, in parts that hosts keep.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Block, blocksText } from '../model/blocks.ts';
import type { Call } from './tool-host.ts';

/** Sentences of failures name flags of the terminal; a host knows the arguments of its tools. */
export function withoutFlags(message: string): string {
  return message
    .replaceAll('--tools', 'agents')
    .replaceAll(/--(context|role|solution|feedback|constraint)\b/g, '$1')
    .replaceAll('"conclave sessions list" shows', 'list_sessions shows');
}

/**
 * Makes a result of facts. Hosts show the model only the text, or only the structure, so each holds all
 * of it. `output` is an answer that stands in the text as JSON.
 */
export function toolResult(
  facts: Readonly<Record<string, unknown>>,
  output?: unknown,
): CallToolResult {
  return {
    content: [{ type: 'text', text: blocksText([{ facts }]) }],
    structuredContent: output === undefined ? { ...facts } : { ...facts, output },
  };
}

/**
 * Cuts what blocks say into parts that the host of a call shows, which together are the text, and returns
 * one of them. `from` is the tool that shows another, with its other arguments.
 */
export function textPart(
  blocks: readonly Block[],
  { part, call, from }: { readonly part: number; readonly call: Call; readonly from: string },
) {
  const parts: string[] = [];
  for (let left = blocksText(blocks); left !== '' || parts.length === 0;) {
    const end = endOfPart(left, call.mostText);
    parts.push(left.slice(0, end));
    left = left.slice(end);
  }
  const of = parts.length;
  const at = Math.min(part, of);
  const rest = `part ${at} of ${of}: call ${from} and part: ${at + 1} for the rest`;
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

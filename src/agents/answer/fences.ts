/** The contents of the fenced blocks of a text, in order; a block that never closes ends it. */
export interface Block {
  readonly text: string;
  readonly closed: boolean;
}

const fence = '```';

/** Only a fence at the start of a line counts; the line of the opening one names the language. */
export function fencedBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let start: number | null = null;
  for (let at = text.indexOf(fence); at !== -1; at = text.indexOf(fence, runEnd(text, at))) {
    if (!startsLine(text, at)) continue;
    if (start === null) {
      start = lineEnd(text, at);
    } else {
      blocks.push({ text: text.slice(start, at), closed: true });
      start = null;
    }
  }
  if (start !== null) blocks.push({ text: text.slice(start), closed: false });
  return blocks;
}

function startsLine(text: string, at: number): boolean {
  const line = text.slice(Math.max(0, at - 12), at);
  const lead = line.slice(line.lastIndexOf('\n') + 1);
  return lead.trim() === '' && (line.includes('\n') || at <= 12);
}

/** The end of the opening line, or of the language where the object begins on the same line. */
function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline === -1 ? text.length : newline + 1;
}

function runEnd(text: string, at: number): number {
  let end = at + fence.length;
  while (text[end] === '`') end += 1;
  return end;
}

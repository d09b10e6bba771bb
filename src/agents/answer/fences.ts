const fence = '```';

/**
 * The contents of the fenced blocks of a text, in order; one that never closes ends with the text.
 * Only a fence at the start of a line counts; the rest of an opening line names the language.
 */
export function fencedBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let start: number | null = null;
  for (let at = text.indexOf(fence); at !== -1; at = text.indexOf(fence, runEnd(text, at))) {
    if (!startsLine(text, at)) continue;
    if (start === null) {
      start = lineEnd(text, at);
    } else {
      blocks.push(text.slice(start, at));
      start = null;
    }
  }
  if (start !== null) blocks.push(text.slice(start));
  return blocks;
}

function startsLine(text: string, at: number): boolean {
  // Deeper indentation is no fence, and looking further back would take quadratic time.
  const line = text.slice(Math.max(0, at - 12), at);
  const lead = line.slice(line.lastIndexOf('\n') + 1);
  return lead.trim() === '' && (line.includes('\n') || at <= 12);
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline === -1 ? text.length : newline + 1;
}

function runEnd(text: string, at: number): number {
  let end = at + fence.length;
  while (text[end] === '`') end += 1;
  return end;
}

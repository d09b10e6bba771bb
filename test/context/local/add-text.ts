import type { DefinedName } from '../../../src/context/local/kernel.ts';
import type { SegmentWriter } from '../../../src/context/local/segment-writer.ts';

/** Adds a text as one block, and the names that it defines. */
export function addText(
  writer: SegmentWriter,
  text: string,
  defined: readonly Omit<DefinedName, 'line'>[] = [],
): void {
  const bytes = Buffer.from(text);
  writer.takeBlocks(bytes, [bytes.length]);
  writer.addBlocks(defined.map((name) => ({ ...name, line: 1 })));
}

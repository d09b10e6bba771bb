import { noNames, type NameReader } from './name-reader.ts';

/** A longer one is a sentence. In characters. */
const longestHeading = 80;

/** The headings, without those in a block of code or in the front matter. */
export function markdown(): NameReader {
  let fence: string | null = null;
  let isFirst = true;
  return (line, next) => {
    const wasFirst = isFirst;
    isFirst = false;
    if (fence !== null) {
      if (line.trimEnd() === fence || isFenceEnd(line, fence)) fence = null;
      return noNames;
    }
    if (wasFirst && line.trimEnd() === '---') {
      fence = '---';
      return noNames;
    }
    fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1] ?? null;
    if (fence !== null) return noNames;
    const hashed = /^ {0,3}#{1,6}[ \t]+(\S.*)$/.exec(line)?.[1];
    const heading = hashed ?? (isPlain(line) && isUnderline(next()) ? line : null);
    const name = heading === null ? '' : shown(heading);
    return name === '' || name.length > longestHeading ? noNames : [name];
  };
}

/** Code ends with at least as many of the characters that it starts with. */
function isFenceEnd(line: string, fence: string): boolean {
  const text = line.trim();
  return fence !== '---' && text.startsWith(fence) && text.replaceAll(fence.charAt(0), '') === '';
}

function isUnderline(line: string): boolean {
  return /^ {0,3}(?:=+|-{2,})\s*$/.test(line);
}

/** Text that begins no list, quote, table or markup. */
function isPlain(line: string): boolean {
  return /^ {0,3}[^\s>|<*+#=-]/.test(line);
}

/** Without the marks of code and links, and the hashes and ids at its end. */
function shown(heading: string): string {
  if (!/[[<`*{#]/.test(heading)) return heading.trim();
  return heading
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/[`*]/g, '')
    .replace(/\s\{#[^{}]*\}\s*$/, '')
    .trim()
    .replace(/(?:^|\s)#+$/, '')
    .trim();
}

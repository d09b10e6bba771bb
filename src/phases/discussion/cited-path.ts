/** A path as an agent wrote it, brought into the form the repository uses. */
export type CitedPath =
  | { readonly ok: true; readonly path: string; readonly line: number | null }
  | { readonly ok: false; readonly why: string };

/**
 * Reads a cited path: relative, with forward slashes, without `./`, quotes and a suffix such as
 * `:12`, `:12-20`, `#L12` or `(line 12)`. An absolute path counts only below `root`. Nothing is
 * looked up here.
 */
export function citedPath(text: string, root?: string): CitedPath {
  if (text.length > longestPath) return { ok: false, why: 'the path is too long' };
  const bare = unquoted(text.trim()).replaceAll('\\', '/');
  // oxlint-disable-next-line no-control-regex -- a control character never belongs to a cited path
  const hasControl = /[\u0000-\u001F\u007F]/.test(bare);
  if (hasControl) return { ok: false, why: 'the path has control characters' };
  const { path: named, line } = withoutLine(bare);
  const relative = belowRoot(named, root);
  if (relative === null) return { ok: false, why: 'the path leaves the repository' };
  const parts = settled(relative);
  if (parts === null) return { ok: false, why: 'the path leaves the repository' };
  if (parts.length === 0) return { ok: false, why: 'no file is named' };
  if (relative.endsWith('/')) return { ok: false, why: 'the path names a folder' };
  return { ok: true, path: parts.join('/'), line };
}

/** True for a relative path that stays below the root. */
export function insideRepository(text: string): boolean {
  return citedPath(text).ok;
}

/** The same path without the `a/` or `b/` of a diff, or null where it has none. */
export function withoutDiffPrefix(path: string): string | null {
  return /^[ab]\/./.test(path) ? path.slice(2) : null;
}

/** In characters, as file systems have it. */
const longestPath = 4096;

function unquoted(text: string): string {
  return text.replace(/^(["'`<])(.*)(["'`>])$/s, '$2').trim();
}

function withoutLine(text: string): { path: string; line: number | null } {
  const match = /^(.*?[^:#\s])(?::|#L|\s+\(?lines?\s+)(\d{1,7})(?:(?::|-|-L|,)\d{1,7})*\)?$/.exec(
    text,
  );
  const [, path, digits] = match ?? [];
  const line = Number(digits);
  return path === undefined || !(line >= 1) ? { path: text, line: null } : { path, line };
}

function belowRoot(path: string, root: string | undefined): string | null {
  if (!path.startsWith('/') && !/^[A-Za-z]:\//.test(path) && !/^~(\/|$)/.test(path)) return path;
  return root !== undefined && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null;
}

/** The parts without `.` and `..`, or null where they climb out. */
function settled(path: string): string[] | null {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts;
}

// Says which paths a plan may name.

/**
 * Why a path in a plan may not be touched, as the rest of a sentence that starts with the path;
 * null for a path inside the repository. Nothing is looked up on disk.
 */
export function pathProblem(path: string): string | null {
  const segments = path.split('/').map((segment) => segment.toLowerCase());
  const first = segments.find((segment) => segment !== '' && segment !== '.');
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path)) return 'contains control or invisible characters';
  if (path.includes('\\')) return 'contains a backslash; write it with forward slashes';
  if (
    path.startsWith('/') ||
    path.startsWith('~/') ||
    /^[a-z]:|^[a-z][a-z0-9+.-]*:\/\//i.test(path)
  ) {
    return 'is not relative to the repository';
  }
  if (segments.some((segment) => segment.trim() === '..')) return 'may lead out of the repository';
  // Windows and macOS open these names as .git as well.
  if (segments.some((segment) => /^(?:\.git[. ]*|git~\d)$/.test(segment))) return 'lies in .git';
  if (first === '.workflow') return 'lies in .workflow, which belongs to conclave';
  if (first === undefined) return 'names no file';
  return null;
}

/** Normalises a path, so that each file has one spelling: no `./`, no doubled or trailing slash. */
export function tidyPath(path: string): string {
  const kept = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return `${path.startsWith('/') ? '/' : ''}${kept.join('/')}`;
}

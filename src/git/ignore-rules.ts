import type { Ignore } from 'ignore';
import { readPlainFile } from './disk.ts';
import { joined } from './paths.ts';

/** What the ignore files say: `kept` is what a rule takes back in, `unsaid` what none is about. */
type Verdict = 'ignored' | 'kept' | 'unsaid';

/** The rules that hold in a folder: git’s, with the deeper file and the later line winning. */
export interface IgnoreRules {
  /** `path` is relative to the root; that of a folder ends in `/`. */
  on(path: string): Verdict;
  /** The rules of a folder in this one, which are the same where it has no ignore file. */
  within(folder: string, names: ReadonlySet<string>): Promise<IgnoreRules>;
}

/** Later ones win: `.ignore` is for search tools only. */
const ignoreFiles = ['.gitignore', '.ignore'];
/** A larger one is no list that somebody wrote. In bytes. */
const largestFile = 256 * 1024;

/** The rules above the root: none. Nothing outside of it is read. */
export function noRules(root: string): IgnoreRules {
  return rulesOf(root, null);
}

function rulesOf(root: string, list: Ignore | null): IgnoreRules {
  const rules: IgnoreRules = {
    on(path) {
      if (list === null) return 'unsaid';
      const { ignored, unignored } = list.test(path);
      if (ignored) return 'ignored';
      return unignored ? 'kept' : 'unsaid';
    },
    async within(folder, names) {
      const lines: string[] = [];
      for (const name of ignoreFiles.filter((one) => names.has(one))) {
        const content = await readPlainFile(root, joined(folder, name));
        if (content === null || content.length > largestFile) continue;
        for (const line of linesOf(content)) lines.push(below(folder, line));
      }
      if (lines.length === 0) return rules;
      const { default: ignore } = await import('ignore');
      const own = ignore({ ignorecase: false });
      if (list !== null) own.add(list);
      return rulesOf(root, own.add(lines));
    },
  };
  return rules;
}

function linesOf(content: Buffer): readonly string[] {
  const lines = content
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  return lines.filter((line) => !saysNothing.test(line));
}

/** A comment, or a rule without a name. */
const saysNothing = /^(?:#|!?\/*\s*$)/;

/** A rule of a folder as one of the root. Without a slash in it, it holds at every depth. */
function below(folder: string, line: string): string {
  if (folder === '') return line;
  const negation = line.startsWith('!') ? '!' : '';
  const pattern = line.slice(negation.length);
  const isAnchored = /\/(?!\s*$)/.test(pattern);
  const place = folder.replaceAll(/[\\*?[\]!# ]/g, '\\$&');
  return `${negation}/${place}/${isAnchored ? '' : '**/'}${pattern.replace(/^\//, '')}`;
}

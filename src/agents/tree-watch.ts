// Finds what changed in the work tree while an agent ran, and who is proven to have done it.
import { compareFingerprints } from '../git/fingerprint.ts';
import type { Fingerprint, Repository } from '../git/repository.ts';
import type { AgentEvent } from '../model/agent-event.ts';

/** The changes of the user’s work tree and repository while one agent ran. */
export interface TreeChange {
  /** The files that this agent changed, according to its own events. */
  readonly written: readonly string[];
  /** The files that others changed, each reported once. */
  readonly others: readonly string[];
}

/** Watches the work tree over agent runs that may overlap. */
export interface TreeWatch {
  /**
   * Call before an agent starts; then call the result with the files that the agent said it
   * changed, absolute or relative to the root.
   */
  begin(signal: AbortSignal): Promise<(claimed: readonly string[]) => Promise<TreeChange>>;
}

/**
 * Makes a watch of the work tree. Only an agent’s own events prove that it wrote. Anything else
 * that changed meanwhile may be the user’s edit or another session’s commit, and is reported once.
 */
export function treeWatch(repository: Pick<Repository, 'fingerprint' | 'root'>): TreeWatch {
  const reported = new Map<string, string | undefined>();
  let start: Promise<Fingerprint> | null = null;
  const lookAfter = sharedLook((signal) => repository.fingerprint(signal));
  return {
    async begin(signal) {
      // Agents that start together share one look at the tree.
      start ??= repository.fingerprint(signal).finally(() => {
        start = null;
      });
      const before = await start;
      return async (claimed) => {
        const after = await lookAfter(signal);
        const own = new Set(claimed.map((path) => plainPath(repository.root, path)));
        const changed = compareFingerprints(before, after);
        const written = changed.filter((path) => own.has(path));
        const others = changed.filter((path) => !own.has(path) && !isReported(path, after));
        for (const path of changed) reported.set(path, after.stamps.get(path));
        return { written, others };
      };
    },
  };

  function isReported(path: string, after: Fingerprint): boolean {
    return reported.has(path) && reported.get(path) === after.stamps.get(path);
  }
}

/**
 * Shares a look that starts after the call. One that is already running may have missed the last
 * write, so all callers meanwhile share the next one: many agents that end together cost two looks.
 */
function sharedLook(
  look: (signal: AbortSignal) => Promise<Fingerprint>,
): (signal: AbortSignal) => Promise<Fingerprint> {
  let current: Promise<Fingerprint> | null = null;
  let next: Promise<Fingerprint> | null = null;
  const begin = (signal: AbortSignal) => {
    const begun = look(signal).finally(() => {
      if (current === begun) current = null;
    });
    current = begun;
    return begun;
  };
  return async (signal) => {
    if (current === null) return await begin(signal);
    next ??= current
      .catch(() => null)
      .then(() => {
        next = null;
        return begin(signal);
      });
    return await next;
  };
}

function plainPath(root: string, path: string): string {
  return relativeTo(root, path).replace(/^\.\//, '');
}

/** Makes the paths of an agent’s event relative to the root; commands and texts stay unchanged. */
export function withRelativePaths(event: AgentEvent, root: string): AgentEvent {
  if (event.type === 'tool_call') return { ...event, detail: relativeTo(root, event.detail) };
  if (event.type === 'approval_needed') {
    return { ...event, description: relativeTo(root, event.description) };
  }
  if (event.type === 'file_read') return { ...event, path: relativeTo(root, event.path) };
  if (event.type === 'file_change') return { ...event, path: relativeTo(root, event.path) };
  return event;
}

/** Makes a path relative: the root itself is `.`, and paths outside are left unchanged. */
function relativeTo(root: string, path: string): string {
  if (path === root) return '.';
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

import type { AgentEvent } from '../../model/event.ts';

/**
 * An agent's event as it is told: a path that lies in the repository is relative to its root, an
 * absolute path. Commands and texts stay what the agent said.
 */
export function withRelativePaths(event: AgentEvent, root: string): AgentEvent {
  switch (event.kind) {
    case 'file-read':
    case 'file-change':
      return { ...event, path: relativeTo(root, event.path) };
    case 'tool-call':
      return { ...event, detail: relativeTo(root, event.detail) };
    case 'started':
    case 'message':
    case 'thinking':
    case 'command':
    case 'usage':
    case 'retrying':
    case 'warning':
    case 'error':
    case 'completed':
    case 'unknown':
      return event;
  }
}

/** The root itself is `.`; what does not lie in it stays as it is. */
export function relativeTo(root: string, path: string): string {
  if (path === root) return '.';
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

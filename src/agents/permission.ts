/** What an agent may do, from the least to the most; planning is `read-only`. */
export const permissions = ['read-only', 'edit', 'edit-and-shell', 'full'] as const;
export type Permission = (typeof permissions)[number];

/**
 * What keeps MCP servers and hooks of the user and of the project from a CLI: flags and settings
 * of ours beside the user’s own home, a home of its own, or nothing.
 */
export type Isolation = 'flags' | 'home' | 'none';

/** The tools of all CLIs in one vocabulary. `git` without `shell` is that one command alone. */
export type ToolKind = 'file_read' | 'file_write' | 'shell' | 'git' | 'web';

/** What a request says of the tools. */
export interface ToolWishes {
  readonly permission: Permission;
  /** Beside those of the permission, and without these; who is denied a tool is not allowed it. */
  readonly allowed?: readonly ToolKind[];
  readonly denied?: readonly ToolKind[];
}

const ofPermission: Readonly<Record<Permission, readonly ToolKind[]>> = {
  'read-only': ['file_read'],
  edit: ['file_read', 'file_write'],
  'edit-and-shell': ['file_read', 'file_write', 'shell', 'git'],
  full: ['file_read', 'file_write', 'shell', 'git', 'web'],
};

/** The tools that an agent may use. */
export function toolsOf({
  permission,
  allowed = [],
  denied = [],
}: ToolWishes): ReadonlySet<ToolKind> {
  const all = [...ofPermission[permission], ...allowed];
  return new Set(all.filter((tool) => !denied.includes(tool)));
}

/** What holds of a CLI whose commands are bound by rules alone. */
export function unboundCommands(wishes: ToolWishes): readonly string[] {
  return wishes.permission !== 'full' && toolsOf(wishes).has('shell')
    ? ['a command that it runs may read and write wherever you may']
    : [];
}

/** The same of one that has no limit of turns either. */
export function unboundRun({
  maxTurns,
  ...wishes
}: ToolWishes & { readonly maxTurns?: number | null }): readonly string[] {
  return [
    ...unboundCommands(wishes),
    ...(typeof maxTurns === 'number' ? ['it has no limit of turns'] : []),
  ];
}

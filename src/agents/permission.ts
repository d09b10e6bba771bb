// Defines what an agent may do, and the tools of all CLIs in one vocabulary.

/** The rights of an agent, from the least to the most; planning is `read-only`. */
export const permissions = ['read-only', 'edit', 'edit-and-shell', 'full'] as const;
export type Permission = (typeof permissions)[number];

/**
 * How MCP servers and hooks of the user and the project are kept out of a CLI: by our flags and
 * settings in the user’s own home, by a separate home, or not at all.
 */
export type Isolation = 'flags' | 'home' | 'none';

/**
 * The tools of all CLIs in one vocabulary. `git` can be removed from `shell`, and has no effect
 * without it.
 */
export const toolKinds = ['file_read', 'file_write', 'shell', 'git', 'web'] as const;
export type ToolKind = (typeof toolKinds)[number];

/** The tools that a request allows. */
export interface ToolWishes {
  readonly permission: Permission;
  /** Tools added to those of the permission, and removed from them; a denial wins. */
  readonly allowed?: readonly ToolKind[];
  readonly denied?: readonly ToolKind[];
}

/** The limits of a run. */
export interface RunWishes extends ToolWishes {
  readonly maxTurns?: number | null;
  readonly extraDirs?: readonly string[];
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
  const tools = new Set(all.filter((tool) => !denied.includes(tool)));
  // An alias of git can run any program.
  if (!tools.has('shell')) tools.delete('git');
  return tools;
}

/** Says why the wished tools are impossible; null if all are possible. */
export function wishFault({ denied = [], ...wishes }: ToolWishes): string | null {
  const isAlone =
    wishes.allowed?.includes('git') === true && !toolsOf({ ...wishes, denied }).has('shell');
  return isAlone && !denied.includes('git')
    ? 'git needs shell, since an alias of git runs any program; allow shell too, or leave git out'
    : null;
}

/** Names the limits that a CLI does not enforce if it has no sandbox for its commands. */
export function unboundCommands(wishes: ToolWishes): readonly string[] {
  const { permission, denied = [] } = wishes;
  const isLimited = permission !== 'full' || denied.length > 0;
  return isLimited && toolsOf(wishes).has('shell') ? [unbound] : [];
}

const unbound =
  'nothing holds its commands: they may read and write wherever you may, and use the network';

/** Names the limits that a CLI does not enforce if it has no limit of turns either. */
export function unboundRun({
  maxTurns,
  ...wishes
}: ToolWishes & { readonly maxTurns?: number | null }): readonly string[] {
  return [
    ...unboundCommands(wishes),
    ...(typeof maxTurns === 'number' ? ['it has no limit of turns'] : []),
  ];
}

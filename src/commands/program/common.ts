import type { AttendedCommands } from '../attended.ts';

/** Option values as commander gives them for the commands that run no session. */
export interface Loose {
  readonly json?: true;
  readonly cwd?: string;
  readonly yes?: true;
  readonly paths?: true;
  readonly budget?: string;
  readonly at?: string;
}

/** Where a command works, an absolute folder, and whether it prints one JSON document. */
export interface Place {
  readonly cwd: string;
  readonly json: boolean;
}

/** Throws `usage` where `-C` names no folder. */
export async function placeOf(values: Loose): Promise<Place> {
  const { workingFolder } = await import('../working-folder.ts');
  return { cwd: await workingFolder(values.cwd), json: values.json === true };
}

/**
 * The commands before a person, where somebody is at the terminal and no flag asks for another
 * face: as screens, or as plain lines for a screen reader or a terminal without cursor control.
 */
export async function commandsForPerson(
  values: unknown,
  unattended: readonly string[],
): Promise<AttendedCommands | null> {
  const flags = typeof values === 'object' && values !== null ? values : {};
  const isThere = process.stdin.isTTY && process.stdout.isTTY;
  if (!isThere || unattended.some((name) => name in flags)) return null;
  if ('screenReader' in flags || wantsLines(process.env)) {
    const { byLines } = await import('../by-lines.ts');
    return byLines;
  }
  const { atTerminal } = await import('../at-terminal.ts');
  return atTerminal;
}

/** Ink knows the first of the variables, so whoever set it for other programs is understood. */
function wantsLines(environment: NodeJS.ProcessEnv): boolean {
  const { INK_SCREEN_READER: ink, CONCLAVE_SCREEN_READER: own, TERM: terminal } = environment;
  return ink === 'true' || own === '1' || own === 'true' || terminal === 'dumb';
}

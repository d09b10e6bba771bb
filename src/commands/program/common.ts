/** Takes the exit code that a command ended with. */
export type Finish = (code: number) => void;

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

// Lists the flags of each CLI that a program may pass on for another: they change how hard a model thinks, no more.

const harmless: Readonly<Record<string, RegExp>> = {
  claude: /^--effort=\w+$/,
  codex: /^--config=model_reasoning_effort=\w+$/,
  copilot: /^--reasoning-effort=\w+$/,
  opencode: /^--variant=\w+$/,
};

/** True of a flag of that CLI, in one argument, by which its model may write or reach nothing more. */
export function isHarmlessFlag(cli: string, flag: string): boolean {
  return harmless[cli]?.test(flag) === true;
}

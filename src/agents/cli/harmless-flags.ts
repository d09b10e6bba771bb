// Lists the flags of each CLI that a program may pass on: they only change how hard a model thinks.

const harmless: Readonly<Record<string, RegExp>> = {
  claude: /^--effort=\w+$/,
  codex: /^--config=model_reasoning_effort=\w+$/,
  copilot: /^--reasoning-effort=\w+$/,
  opencode: /^--variant=\w+$/,
};

/** True for a flag of that CLI, in one argument, that gives its model no more to write or reach. */
export function isHarmlessFlag(cli: string, flag: string): boolean {
  return harmless[cli]?.test(flag) === true;
}

import { Config } from '../../model/config.ts';
import { Stopped } from '../../model/failure.ts';
import { faultOf } from './issue-text.ts';
import { type Leaf, nest, pathsOf } from './leaf.ts';

/** The flags that are settings; the others belong to one run only. `timeout` is in seconds. */
export interface SettingsFlags {
  readonly autoYes?: boolean | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly mode?: 'parallel' | 'serial' | undefined;
  readonly maxRounds?: number | undefined;
  readonly constraint?: readonly string[] | undefined;
  readonly requireConvergence?: boolean | undefined;
  /** From an agent's name to a model's name. */
  readonly model?: Readonly<Record<string, string>> | undefined;
  readonly timeout?: number | undefined;
}

/** The settings that flags make. Throws `usage`, naming the flag, for a value that does not fit. */
export function flagLeaves(flags: SettingsFlags): readonly Leaf[] {
  const said: readonly (readonly [flag: string, path: readonly string[], value: unknown])[] = [
    ['--auto-yes', ['workflow', 'auto_yes'], flags.autoYes === true ? true : undefined],
    ['--tools', ['workflow', 'tools'], flags.tools],
    ['--mode', ['workflow', 'mode'], flags.mode],
    ['--max-rounds', ['workflow', 'max_rounds'], flags.maxRounds],
    [
      '--constraint',
      ['workflow', 'constraints'],
      flags.constraint?.length === 0 ? undefined : flags.constraint,
    ],
    [
      '--require-convergence',
      ['workflow', 'require_convergence'],
      flags.requireConvergence === true ? true : undefined,
    ],
    ['--timeout', ['workflow', 'timeout'], flags.timeout],
    ...Object.entries(flags.model ?? {}).map(
      ([agent, model]) => ['--model', ['agents', agent, 'model'], model] as const,
    ),
  ];
  return said.flatMap(([flag, path, value]) => leavesOf({ flag, path, value }));
}

function leavesOf(given: {
  readonly flag: string;
  readonly path: readonly string[];
  readonly value: unknown;
}): readonly Leaf[] {
  const { flag, path, value } = given;
  if (value === undefined) return [];
  const stop = (message: string) =>
    new Stopped({ reason: 'usage', message: `${flag}: ${message}` });
  const raw = nest(path, value);
  const parsed = Config.safeParse(raw);
  if (!parsed.success) throw stop(faultOf(parsed.error, raw).message);
  return pathsOf(parsed.data).map((leaf) => ({ ...leaf, source: flag, stop }));
}

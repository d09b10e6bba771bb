import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rig } from './rig.ts';

const commands = ['claude', 'codex', 'gemini', 'copilot', 'opencode'];
const keys = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'CODEX_API_KEY', 'GEMINI_API_KEY', 'GH_TOKEN'];

/**
 * Puts all five CLIs on the PATH of a rig, with keys, as programs that fail. Each names itself in `probes`
 * where it is asked for its version, and in `calls` where it is asked anything else.
 */
export function countedClis(rig: Rig) {
  const bin = join(rig.home, 'bin');
  mkdirSync(bin);
  for (const command of commands) {
    const program = `#!${process.execPath}
const isProbe = process.argv.includes('--version');
const log = ${JSON.stringify(rig.home)} + (isProbe ? '/probes' : '/calls');
require('node:fs').appendFileSync(log, '${command}\\n');
if (isProbe) console.log('2.1.197');
else process.exitCode = 1;
`;
    writeFileSync(join(bin, command), program);
    chmodSync(join(bin, command), 0o755);
  }
  for (const key of keys) rig.environment[key] = 'no-key';
  rig.environment['PATH'] = `${bin}:${process.env['PATH']}`;
  const linesOf = (name: string) => (): readonly string[] => {
    const log = join(rig.home, name);
    return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  };
  return { probes: linesOf('probes'), calls: linesOf('calls') };
}

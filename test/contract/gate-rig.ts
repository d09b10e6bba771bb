import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { hostRig } from './host-rig.ts';
import { startModelServer } from './model-server/server.ts';
import { realClis } from './real-clis.ts';

export const wrong = '# Plan\n\n1. Change `src/nothing/at.js:4`.';
export const right = '# Plan\n\n1. Create `notes.md` by hand.';

export const gateHosts = ['claude', 'codex', 'gemini'] as const;
type GateHost = (typeof gateHosts)[number];

const text = (words: string) => ({ kind: 'text', text: words }) as const;
const write = (target: string, content: string) =>
  ({ kind: 'tool', tool: 'write', target, content }) as const;

/** A host without a person, in which the gate is installed, and whose model answers one plan after the other. */
export async function gateRig(host: GateHost) {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const rig = hostRig(host, server.url);
  if (host === 'gemini') rig.logIn();
  await rig.conclave('install', host, '--yes');
  const runs = {
    claude(plans: readonly string[]) {
      server.on('MARKER', plans.map(text));
      return rig.host('-p', 'MARKER', '--permission-mode', 'plan');
    },
    codex(plans: readonly string[]) {
      const proposed = plans.map((plan) => `<proposed_plan>\n${plan}\n</proposed_plan>`);
      server.on('MARKER', proposed.map(text));
      const { args = [], env = {} } = realClis.codex.settings(server.url);
      Object.assign(rig.environment, env);
      const trusted = ['--dangerously-bypass-hook-trust', '--skip-git-repo-check'];
      return rig.host('exec', ...args, ...trusted, 'MARKER');
    },
    gemini(plans: readonly string[]) {
      const call = ['exit_plan_mode', { plan_filename: 'p.md' }] as const;
      const leave = { kind: 'tool', tool: 'shell', target: '', call } as const;
      const steps = plans.flatMap((plan) => [(file: string) => write(file, plan), () => leave]);
      server.fallback(({ system }) => {
        const [folder = ''] = /\.gemini\/tmp\/\S+\/plans\b/.exec(system) ?? [];
        return steps.shift()?.(join(rig.home, folder, 'p.md')) ?? text('Ended.');
      });
      return rig.host('-p', 'MARKER', '--approval-mode', 'plan');
    },
  };
  return { rig, server, run: (...plans: readonly string[]) => runs[host](plans) };
}

/** Has the host start another program in the command of its hook, for so many seconds; returns in how many files. */
export function replaceHook(home: string, other: string, seconds: number): number {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('hooks.json'))
    .map((file) => join(home, file))
    .filter((file) => readFileSync(file, 'utf8').includes('critique --hook'));
  for (const file of files) {
    const changed = readFileSync(file, 'utf8')
      .replaceAll(/(?<="command": ").*?(?= critique --hook)/g, () => other)
      .replaceAll(/(?<="timeout": )\d+/g, (was) =>
        String(seconds * (Number(was) > 10_000 ? 1000 : 1)),
      );
    writeFileSync(file, changed);
  }
  return files.length;
}

/** A program that notes its start and then does what is said. */
export function hookProgram(home: string, does: string) {
  const [file, witness] = [join(home, 'hook.mjs'), join(home, 'hook-started')];
  const note = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(witness)}, '');\n`;
  writeFileSync(file, note + does);
  return { command: `'${process.execPath}' '${file}'`, wasStarted: () => existsSync(witness) };
}

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { program } from '../helpers/rig.ts';
import { inTerminal, walk } from '../helpers/terminal.ts';
import { hostRig } from './host-rig.ts';
import { clis } from './install.ts';
import { startModelServer } from './model-server/server.ts';
import { realClis, testKey } from './real-clis.ts';

export const wrong = '# Plan\n\n1. Change `src/nothing/at.js:4`.';
export const right = '# Plan\n\n1. Create `notes.md` by hand.';

export const gateHosts = ['claude', 'codex', 'gemini'] as const;
type GateHost = (typeof gateHosts)[number];

const text = (words: string) => ({ kind: 'text', text: words }) as const;
const write = (target: string, content: string) =>
  ({ kind: 'tool', tool: 'write', target, content }) as const;

const calls = (name: string, given: object) =>
  ({ kind: 'tool', tool: 'shell', target: '', call: [name, given] }) as const;

/** A host in which the gate is installed. */
async function gatedHost(host: GateHost) {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const rig = hostRig(host, server.url);
  if (host === 'gemini') rig.logIn();
  if (host === 'claude') rig.writeHome('.claude.json', JSON.stringify(claudeAnswers(rig.repo)));
  await rig.conclave('install', host, '-y');
  return { rig, server };
}

/** Points codex to our models; returns the arguments for it. */
function codexArgs({ rig, server }: Awaited<ReturnType<typeof gatedHost>>): readonly string[] {
  const { args = [], env = {} } = realClis.codex.settings(server.url);
  Object.assign(rig.environment, env);
  return [...args, '--dangerously-bypass-hook-trust'];
}

const proposed = (plan: string) => text(`<proposed_plan>\n${plan}\n</proposed_plan>`);

/** A host without a person, in which the gate is installed, and whose model answers one plan after the other. */
export async function gateRig(host: GateHost) {
  const gated = await gatedHost(host);
  const { rig, server } = gated;
  const runs = {
    claude(plans: readonly string[]) {
      server.on('MARKER', plans.map(text));
      return rig.host('-p', 'MARKER', '--permission-mode', 'plan');
    },
    codex(plans: readonly string[]) {
      server.on('MARKER', plans.map(proposed));
      return rig.host('exec', ...codexArgs(gated), '--skip-git-repo-check', 'MARKER');
    },
    gemini(plans: readonly string[]) {
      const leave = calls('exit_plan_mode', { plan_filename: 'p.md' });
      const steps = plans.flatMap((plan) => [(file: string) => write(file, plan), () => leave]);
      server.fallback(({ system }) => {
        const [folder = ''] = /\.gemini\/tmp\/\S+\/plans\b/.exec(system) ?? [];
        return steps.shift()?.(join(rig.home, folder, 'p.md')) ?? text('Ended.');
      });
      return rig.host('-p', 'MARKER', '--approval-mode', 'plan');
    },
  };
  return { ...gated, run: (...plans: readonly string[]) => runs[host](plans) };
}

/** A host in a terminal, with a person before it who asks for a plan. */
export async function gateTerminal(host: 'claude' | 'codex') {
  const gated = await gatedHost(host);
  const { rig, server } = gated;
  const open = (...args: readonly string[]) =>
    inTerminal({ ...rig.rig, environment: rig.environment }, args, {
      file: join(clis, host),
      columns: 100,
      rows: 50,
      patience: 60_000,
    });
  const runs = {
    async claude(plans: readonly string[]) {
      const leave = calls('ExitPlanMode', {});
      const steps = plans.flatMap((plan) => [(file: string) => write(file, plan), () => leave]);
      server.fallback(({ prompt, system, tools }) => {
        if (!prompt.includes('MARKER') || !tools.includes('ExitPlanMode')) return text('Hello.');
        const [file = ''] = /\/\S+\/\.claude\/plans\/[\w-]+\.md/.exec(system) ?? [];
        return steps.shift()?.(file) ?? text('Ended.');
      });
      const terminal = open('--permission-mode', 'plan');
      await terminal.shows('plan mode on');
      return terminal;
    },
    async codex(plans: readonly string[]) {
      server.on('MARKER', plans.map(proposed));
      const terminal = open(...codexArgs(gated));
      await terminal.shows('for shortcuts');
      // It takes no key for a while after its first picture.
      const switched = () => {
        if (!terminal.screen().includes('Plan mode')) terminal.press('shift+tab');
        return terminal.screen();
      };
      await expect.poll(switched, { interval: 3000 }).toContain('Plan mode');
      return terminal;
    },
  };
  const run = async (...plans: readonly string[]) => {
    const terminal = await runs[host](plans);
    await walk(terminal, ['MARKER', 'MARKER'], ['enter', /./]);
    return terminal;
  };
  return { ...gated, run };
}

/** What claude asks a new user in a terminal first, for which it needs its own network. */
function claudeAnswers(repo: string) {
  return {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: [testKey.slice(-20)], rejected: [] },
    projects: { [repo]: { hasTrustDialogAccepted: true } },
  };
}

/** In the place of ours, in the command of a hook. */
interface OtherProgram {
  readonly node: string;
  readonly file: string;
  wasStarted(): boolean;
}

/** Has the host start another program in the command of its hook, for so many seconds; returns in how many files. */
export function replaceHook(home: string, { node, file }: OtherProgram, seconds: number): number {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('hooks.json'))
    .map((path) => join(home, path))
    .filter((path) => readFileSync(path, 'utf8').includes('critique --hook'));
  for (const path of files) {
    const changed = readFileSync(path, 'utf8')
      .replaceAll(`'${process.execPath}'`, `'${node}'`)
      .replaceAll(`'${program}'`, `'${file}'`)
      .replaceAll(/(?<="timeout": )\d+/g, (was) =>
        String(seconds * (Number(was) > 10_000 ? 1000 : 1)),
      );
    writeFileSync(path, changed);
  }
  return files.length;
}

/** Notes its start and then does what is said. */
function hookProgram(home: string, does: string): OtherProgram {
  const [file, witness] = [join(home, 'hook.mjs'), join(home, 'hook-started')];
  const note = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(witness)}, '');\n`;
  writeFileSync(file, note + does);
  return { node: process.execPath, file, wasStarted: () => existsSync(witness) };
}

const brokenAnswer = "process.stdout.write('{ what');\nprocess.exitCode = 1;\n";

/** A program in the place of ours, by what is wrong with it. */
export const faults = [
  ['is broken', (home: string) => hookProgram(home, brokenAnswer)],
  ['hangs', (home: string) => hookProgram(home, 'setInterval(() => undefined, 1000);\n')],
  ['is gone', () => ({ node: '/nowhere/node', file: '/nowhere/cli.js', wasStarted: () => false })],
] as const;

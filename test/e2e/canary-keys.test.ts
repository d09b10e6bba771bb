import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { calmVendor } from '../helpers/planned-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { mixed, tokens } from '../helpers/tokens.ts';
import { configureVendors } from '../helpers/vendors.ts';

/** An agent tells this key of its own, and some of known forms, wherever it can. */
const ownKey = `own-${mixed(24)}`;

function tellingEverywhere(secret: string) {
  return [
    { kind: 'tool-call', name: 'shell', detail: `echo ${secret}`, tool: 'shell', input: secret },
    { kind: 'command', command: `echo ${secret}`, exit_code: 0, output: secret },
    { kind: 'warning', text: `used ${secret}` },
    { kind: 'thinking', text: `I have ${secret}` },
    { kind: 'message', text: `It is ${secret}.`, partial: false },
  ];
}

test.each([
  ['plan', '--auto-yes', '--json'],
  ['plan', '--auto-yes'],
])(
  'no key of the environment or of an agent gets to a file or to the screen: %s',
  short,
  async (...args) => {
    const rig = await todoRig();
    const foreign = Object.fromEntries(
      tokens
        .filter((_, index) => index % 9 === 0)
        .map(([vendor, token]) => [`${vendor.toUpperCase().replaceAll(/\W/g, '_')}_KEY`, token]),
    );
    const vendorKeys = Object.fromEntries(
      ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'GITHUB_TOKEN'].map((name) => [
        name,
        `canary-${name}-${mixed(12)}`,
      ]),
    );
    Object.assign(rig.environment, foreign, vendorKeys);
    const secrets = [ownKey, ...Object.values(foreign), ...Object.values(vendorKeys)];
    const told = [ownKey, ...Object.values(foreign)];
    const leaking = {
      ...calmVendor,
      propose: {
        ...calmVendor.propose,
        events: told.flatMap(tellingEverywhere),
        stderr: told.join('\n'),
      },
    };
    const failing = {
      else: { stderr: `refused the key ${ownKey} and ${told.join(' ')}`, exit: 1 },
    };
    configureVendors(rig, { alpha: leaking, beta: failing });
    rig.config(
      rig
        .configured()
        .replace('[agents.alpha]', `[agents.alpha]\nenv = { ALPHA_KEY = "${ownKey}" }`)
        .replace('[agents.beta]', `[agents.beta]\nenv = { BETA_KEY = "${ownKey}" }`),
    );
    const { code, stdout, stderr } = await rig.conclave(...args, todoTask);
    expect(code).toBe(0);
    const seen = { stdout, stderr, ...filesOf(rig) };
    const leaks = Object.entries(seen).flatMap(([place, text]) =>
      secrets.filter((secret) => text.includes(secret)).map((secret) => `${secret} in ${place}`),
    );
    expect(leaks).toEqual([]);
  },
);

/** All files of the project and of the user, but for their settings and the scripts of the agents. */
function filesOf(rig: Rig): Readonly<Record<string, string>> {
  const base = dirname(rig.home);
  const paths = readdirSync(base, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/^home\/(?:config\/|\w+[.]json$)/.test(path))
    .filter((path) => statSync(join(base, path)).isFile());
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(base, path), 'utf8')]));
}

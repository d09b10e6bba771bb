// Tries on this machine whether the confinement of code before approval holds, and remembers what it saw.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { hostname, release } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Confinement } from '../../agents/process/confinement.ts';
import { toolPlaces } from '../../agents/process/tool-places.ts';
import { isInside } from '../../git/disk.ts';
import { jsonIn } from '../../model/json.ts';
import { sha256Of } from '../../store/digest.ts';
import { removeFolder } from '../../store/remove-folder.ts';
import { readUserJson, writeUserJson } from '../../store/small-file.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';
import { version } from '../../version.ts';
import { type Seen, runCommand } from '../execution/run-command.ts';
import type { Tools } from '../phase-tools.ts';
import { strictTree } from './strict-tree.ts';

/** The limits of what code sees, which one run tries. */
const views = ['network', 'home', 'other projects', 'environment', 'writing elsewhere'];

/** The limits of what code uses, each tried by a run of its own. */
const used = ['processes', 'memory'];

/** Whether each limit holds, by its name. */
const Limits = z.record(z.string(), z.boolean());

const Remembered = z.object({ machine: z.string(), limits: Limits });

/** Tries each limit at the first use on this machine and by this version; later ones read what was seen. */
export async function testConfinement(
  {
    execution: { confinementFile: file, environment, secrets },
    markPrefix,
  }: Pick<Tools, 'markPrefix'> & {
    readonly execution: Pick<Tools['execution'], 'confinementFile' | 'environment' | 'secrets'>;
  },
  confinement: Confinement,
  signal: AbortSignal,
): Promise<Readonly<Record<string, boolean>>> {
  const machine = sha256Of([hostname(), release(), process.getuid?.(), version].join('\n'));
  const known = await readUserJson(file, Remembered);
  if (known?.machine === machine) return known.limits;
  const folder = await temporaryFolder('check');
  const listener = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  try {
    await once(listener, 'listening');
    const { port } = z.object({ port: z.number() }).parse(listener.address());
    const [files, other] = [join(folder, 'files'), join(folder, 'other')];
    await Promise.all([mkdir(files), mkdir(other)]);
    const { HOME: home = '/' } = environment;
    const programs = [process.execPath];
    const tools = toolPlaces({ environment, secrets, apart: [folder], more: programs });
    const shown = [...tools, folder];
    const isHidden = (name: string) => !shown.some((path) => isInside(join(home, name), path));
    const names = (await readdir(home)).filter(isHidden);
    const written = 'conclave-self-test';
    const seen = { home, names, other, port, mark, file: written };
    await writeFile(join(files, 'try.mjs'), `const seen = ${JSON.stringify(seen)};\n${script}`);
    const confine = await strictTree({
      confinement,
      environment,
      secrets,
      folder: join(folder, 'own'),
      root: files,
      copy: { files, top: files, git: null },
      dependencies: [],
      programs,
    });
    const place = {
      cwd: files,
      home: files,
      environment: { ...environment, [mark]: '1' },
      confine,
    };
    const conditions = { ...place, buildFacts: [], mostMs: 60_000, markPrefix, signal };
    // Side by side, as nothing is laid out that they could take from each other.
    const [view, ...uses] = await Promise.all(
      ['view', ...used].map((what) =>
        runCommand([process.execPath, 'try.mjs', what], conditions, { counts: false }),
      ),
    );
    const held = Limits.safeParse(jsonIn(view?.output ?? '')).data;
    const limits = Object.fromEntries([
      ...views.map((name) => [name, held?.[name] === true]),
      ...used.map((name, at) => [name, holds(name, uses[at])]),
    ]);
    if (existsSync(join(home, written))) limits['writing elsewhere'] = false;
    // What failed may have failed for another reason, and is tried again.
    if (Object.values(limits).every(Boolean)) await writeUserJson(file, { machine, limits });
    return limits;
  } finally {
    listener.close();
    await removeFolder(folder);
  }
}

/** True if a run that used too much was ended by the watcher, or refused more by the kernel. */
function holds(name: string, { note = '', output = '' }: Partial<Seen> = {}): boolean {
  return note.includes(name) || output.includes(refused);
}

/** A variable of this program that must not be seen inside. */
const mark = 'CONCLAVE_SELF_TEST';

/** The word with which the script says that it was refused more. */
const refused = 'refused';

/** Tries to leave the confinement, and prints what holds it. */
const script = `
const { spawn } = await import('node:child_process');
const { existsSync, readFileSync, writeFileSync } = await import('node:fs');
const { connect } = await import('node:net');
const { networkInterfaces } = await import('node:os');
const { setTimeout: sleep } = await import('node:timers/promises');
const fails = (act) => { try { act(); return false; } catch { return true; } };
const isRefused = (port) => new Promise((resolve) =>
  connect(port, '127.0.0.1').on('error', () => resolve(true)).on('connect', () => resolve(false)));
const places = ['/', '/usr', '/etc', '/dev', seen.other];
fails(() => writeFileSync(seen.home + '/' + seen.file, ''));
const what = {
  async view() {
    console.log(JSON.stringify({
      network: (await isRefused(seen.port)) && Object.keys(networkInterfaces()).every((name) => name === 'lo'),
      home: !seen.names.some((name) => existsSync(seen.home + '/' + name)),
      'other projects': !existsSync(seen.other),
      environment: !readFileSync('/proc/1/environ', 'latin1').includes(seen.mark),
      'writing elsewhere': places.every((one) => fails(() => writeFileSync(one + '/' + seen.file, ''))),
    }));
  },
  async processes() {
    const many = 'at=0; while [ $at -lt 600 ]; do (read held <&3) & at=$((at + 1)); done; sleep 20';
    const child = spawn('sh', ['-c', many], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    child.on('exit', (code) => {
      console.log(code === 0 ? 'free' : '${refused}');
      child.stdio[3].destroy();
    });
  },
  async memory() {
    const code = 'const all = []; for (let at = 0; at < 16; at += 1) all.push(Buffer.alloc(64e6, 1)); console.log("full"); setTimeout(() => {}, 60000)';
    const fill = () => new Promise((resolve) => {
      const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore'] });
      child.stdout.on('data', () => resolve(0));
      child.on('exit', () => resolve(1));
      child.unref();
      child.stdout.unref();
    });
    const held = setInterval(() => {}, 1000);
    const failed = (await Promise.all([fill(), fill(), fill()])).includes(1);
    if (!failed) await sleep(20_000);
    clearInterval(held);
    console.log(failed ? '${refused}' : 'free');
  },
};
await what[process.argv[2]]();
`;

#!/usr/bin/env node
// The entry: checks Node, loads the commands, turns what is thrown into a sentence and an exit code, ends the process.

// Nothing is imported before it is needed: an older Node must get as far as its message, and
// --version must not wait for the rest.
const oldestNode = [24, 15] as const;

/** The exit code for an output that could not be written, once it is explained. */
let unwritten: Promise<number> | null = null;

const exitCode = await main(process.argv.slice(2));
// The process ends only when its output is written and an error of that is reported, but it does not
// wait for a stray timer.
process.stdout.write('', () => setImmediate(() => void end(exitCode)));

async function end(code: number): Promise<never> {
  process.exit(unwritten === null ? code : await unwritten);
}

async function main(argv: readonly string[]): Promise<number> {
  keepAbsoluteFolders();
  if (isTooOld(process.versions.node)) {
    const newer = bundledNode();
    if (newer !== null) return await runWith(newer, argv);
    process.stderr.write(tooOldText());
    return 2;
  }
  watchOutput();
  if (argv[0] === '--version' || argv[0] === '-V') {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  process.on('uncaughtException', (error) => {
    // If not even the words for it can be loaded, nothing more is tried.
    void explain(error).then(
      (code) => process.exit(code),
      () => process.exit(1),
    );
  });
  try {
    // The list of commands is told from three files: to look for them in the cache takes longer.
    if (!(argv.length === 1 && (argv[0] === '--help' || argv[0] === '-h'))) {
      findChunksAtOnce();
      (await import('./commands/wiring/code-cache.ts')).cacheCode(process.env);
    }
    if (argv.length === 1 && argv[0] === 'mcp') {
      // A host waits; it needs nothing of the command line.
      const { mcpCommand } = await import('./commands/mcp-command.ts');
      return await mcpCommand([]);
    }
    const { run } = await import('./commands/command-line.ts');
    return await run(argv);
  } catch (error) {
    return await explain(error);
  }
}

/** Says where the chunks of this program are: beside each other. Node would look for each on the disk, often. */
function findChunksAtOnce(): void {
  const own = new URL('.', import.meta.url).href;
  process.getBuiltinModule('node:module').registerHooks({
    resolve(name, context, next) {
      const { parentURL: parent = '' } = context;
      const isChunk = parent.startsWith(own) && /^\.\/[\w/-]+\.mjs$/.test(name);
      if (!isChunk) return next(name, context);
      const url = parent.slice(0, parent.lastIndexOf('/')) + name.slice(1);
      return { url, format: 'module', shortCircuit: true };
    },
  });
}

/** Keeps only absolute folders on the search path, so that no program is taken from the current folder. */
function keepAbsoluteFolders(): void {
  const path = process.getBuiltinModule('node:path');
  const all = (process.env['PATH'] ?? '').split(path.delimiter);
  const folders = all.filter((one) => path.isAbsolute(one));
  // An empty path would mean the current folder; without the variable, the system uses its own.
  if (folders.length === 0) delete process.env['PATH'];
  else process.env['PATH'] = folders.join(path.delimiter);
}

function isTooOld(found: string): boolean {
  const [major = 0, minor = 0] = found.split('.').map(Number);
  return major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
}

function tooOldText(): string {
  return (
    `conclave needs Node ${oldestNode.join('.')} or newer; this is Node ${process.version} ` +
    `(${process.execPath}). Install a newer one from nodejs.org or your package manager, ` +
    'or with: npm install -g node@24\n'
  );
}

/** The Node that npm put beside this program, wherever that is; null where it put none. */
function bundledNode(): string | null {
  const name = `node-${process.platform}-${process.arch}/bin/node`;
  try {
    return process
      .getBuiltinModule('node:module')
      .createRequire(import.meta.url)
      .resolve(name);
  } catch {
    // It is not installed, or this Node is too old to look for it.
    return null;
  }
}

/** Runs this program once more, with another Node; a terminal sends Ctrl-C to both by itself. */
async function runWith(node: string, argv: readonly string[]): Promise<number> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const { fileURLToPath } = process.getBuiltinModule('node:url');
  const child = spawn(node, [fileURLToPath(import.meta.url), ...argv], { stdio: 'inherit' });
  for (const name of ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'] as const) {
    const isOfTerminal = process.stdin.isTTY && (name === 'SIGINT' || name === 'SIGQUIT');
    process.on(name, () => void (isOfTerminal || child.kill(name)));
  }
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGKILL' ? 137 : 1)));
  });
}

function version(): string {
  const file = new URL('../package.json', import.meta.url);
  // An import would wrap every export of the module first, which takes longer than all else here.
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const found = typeof content === 'object' && content !== null && 'version' in content;
  if (!found) throw new Error(`no version in ${file.pathname}`);
  return String(content.version);
}

// A reader that has seen enough (`| head`) is not an error, nor is a closed terminal, but a full disk
// is. A running session is interrupted and saved, so that no agent works on without a reader.
function watchOutput(): void {
  let broken = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (broken) return;
    if (error.errno === undefined) throw error;
    broken = true;
    if (!isGone(error)) unwritten = explainOutput(error);
    if (!process.emit('SIGHUP')) void end(0);
  });
  // Nobody can be told anything then; the exit code still says how it ended.
  process.stderr.on('error', () => undefined);
}

/** True if nothing reads the output any more: the other end of a pipe, or the terminal, is gone. */
function isGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EIO';
}

async function explainOutput({ code, errno }: NodeJS.ErrnoException): Promise<number> {
  const { Stopped } = await import('./model/failure.ts');
  const { getSystemErrorMessage } = process.getBuiltinModule('node:util');
  const why = `${getSystemErrorMessage(errno ?? 0)} (${code})`;
  return await explain(new Stopped({ reason: 'output-unwritable', why }));
}

/** Says on stderr why the command ended badly; returns the exit code. */
async function explain(error: unknown): Promise<number> {
  const { Stopped, exitCodeOf } = await import('./model/failure.ts');
  const { cleanText } = await import('./model/clean-text.ts');
  if (error instanceof Stopped) {
    const { failure } = error;
    // Work outside of any session has nothing to go on with, and why it ended is said already.
    const isSaid = failure.reason === 'cancelled' && failure.session === null;
    if (isSaid && unwritten !== null) return await unwritten;
    const { asCalled, programName } = await import('./commands/wiring/called-as.ts');
    const message = asCalled(error.message, programName(process.env));
    process.stderr.write(`conclave: ${cleanText(message)}\n`);
    return exitCodeOf(failure);
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `conclave: This is a bug in conclave ${version()}; please report it with these lines ` +
      `(Node ${process.version}, ${process.platform} ${process.arch}):\n${cleanText(trace)}\n`,
  );
  return 1;
}

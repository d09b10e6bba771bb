#!/usr/bin/env node
// Nothing is imported before it is needed: an older Node must get as far as its message, and
// --version must not wait for the rest.
const oldestNode = [24, 15] as const;

const exitCode = await main(process.argv.slice(2));
// What was printed must have left before the process ends; a stray timer must not keep it.
process.stdout.write('', () => process.exit(exitCode));

async function main(argv: readonly string[]): Promise<number> {
  if (isTooOld(process.versions.node)) {
    process.stderr.write(tooOldText());
    return 2;
  }
  if (argv[0] === '--version' || argv[0] === '-V') {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  watchOutput();
  process.on('uncaughtException', (error) => {
    // Where not even the words for it can be loaded, nothing more is tried.
    void explain(error).then(
      (code) => process.exit(code),
      () => process.exit(1),
    );
  });
  try {
    const { keepCompiled } = await import('./commands/code-cache.ts');
    keepCompiled(process.env, version());
    const { run } = await import('./commands/program.ts');
    return await run(argv);
  } catch (error) {
    return await explain(error);
  }
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

function version(): string {
  const file = new URL('../package.json', import.meta.url);
  // An import would wrap every export of the module first, which takes longer than all else here.
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const found = typeof content === 'object' && content !== null && 'version' in content;
  if (!found) throw new Error(`no version in ${file.pathname}`);
  return String(content.version);
}

// A reader that has seen enough (`| head`) is no error, nor is a terminal that was closed. A
// session that runs is interrupted and saved, so that no agent goes on working for nobody.
function watchOutput(): void {
  let broken = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (broken) return;
    if (!isGone(error)) throw error;
    broken = true;
    if (!process.emit('SIGHUP')) process.exit(0);
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (!isGone(error)) throw error;
  });
}

/** Whoever would read it is gone: the other end of a pipe, or the terminal. */
function isGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EIO';
}

/** Says on stderr why the command ended badly; returns the exit code. */
async function explain(error: unknown): Promise<number> {
  const { Stopped, exitCodeOf } = await import('./model/failure.ts');
  const { cleanText } = await import('./model/clean-text.ts');
  if (error instanceof Stopped) {
    process.stderr.write(`conclave: ${cleanText(error.message)}\n`);
    return exitCodeOf(error.failure);
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `conclave: This is a bug in conclave ${version()}; please report it with these lines ` +
      `(Node ${process.version}, ${process.platform} ${process.arch}):\n${cleanText(trace)}\n`,
  );
  return 1;
}

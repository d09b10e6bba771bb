// Runs the checks that need no test, all at once, and prints the output of those that fail.
import { execFile } from 'node:child_process';

const checks = ['types', 'lint', 'format:check', 'dead-code', 'package-check'];

const results = await Promise.all(checks.map(runCheck));
process.exitCode = results.every((isGood) => isGood) ? 0 : 1;

/** Runs a script of `package.json`; resolves with whether it succeeded. */
function runCheck(name: string): Promise<boolean> {
  const start = performance.now();
  return new Promise((resolve) => {
    const options = { maxBuffer: 64_000_000 };
    const child = execFile('npm', ['run', '--silent', name], options, (error, stdout, stderr) => {
      const seconds = ((performance.now() - start) / 1_000).toFixed(1);
      console.log(`${error === null ? 'ok' : 'FAILED'}  ${name}, ${seconds} s`);
      if (error !== null) console.log(`${stdout}${stderr}`.trimEnd());
      resolve(error === null);
    });
    child.stdin?.end();
  });
}

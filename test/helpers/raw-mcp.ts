import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { program, type Rig } from './rig.ts';

/** The server of the rig without a client of its own: lines go in, and come out. */
export async function rawServer(rig: Rig) {
  const server = spawn(process.execPath, [program, 'mcp'], {
    cwd: rig.home,
    env: rig.environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  // A server that has ended takes no more.
  server.stdin.on('error', () => undefined);
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const send = (line: string) => void server.stdin.write(`${line}\n`);
  const answer = async (id: number): Promise<unknown> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error('the server has ended');
      const message: unknown = JSON.parse(value);
      if (Object.entries(message ?? {}).some(([name, one]) => name === 'id' && one === id)) {
        return message;
      }
    }
  };
  const end = async () => {
    const ended = once(server, 'exit');
    server.stdin.end();
    const [code] = await ended;
    return Number(code);
  };
  send(
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}',
  );
  await answer(1);
  send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return { send, answer, end };
}

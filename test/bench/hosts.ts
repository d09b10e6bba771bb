import { execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ended, makeRig, program, type Rig } from '../helpers/rig.ts';
import { type Row, bareMemory, medians, memoryOf, timed } from './measure.ts';

/** The MCP server: its start, and the memory of many calls at once. */
export async function* hostRows(short: boolean): AsyncGenerator<Row> {
  const rig = makeRig();
  try {
    rig.write('src/a.js', 'export const word = 1;\n'.repeat(2000));
    await rig.git('init', '-q');
    yield* await startRows(rig, short ? 9 : 31);
    yield await callsRow(rig);
  } finally {
    rig.remove();
  }
}

/** What a host waits for before it knows the tools: the answer to `initialize`, then the list. */
async function startRows(rig: Rig, turns: number): Promise<Row[]> {
  const median = await medians(turns, async () => ({
    node: await timed(() => execFileSync(process.execPath, ['-e', '0'])),
    ...(await withServer(rig, async ({ started, request }) => {
      const answered = performance.now() - started;
      await request('tools/list', {});
      return { answered, listed: performance.now() - started };
    })),
  }));
  const floor = [median('node'), 'node -e 0'] as const;
  const common = { unit: 'ms', floor, limit: 4 } as const;
  return [
    { name: 'MCP server: initialize answered', value: median('answered'), ...common },
    { name: 'MCP server: tools listed', value: median('listed'), ...common },
  ];
}

/** Fifty calls that read, all at once, by what the process holds at its peak. */
async function callsRow(rig: Rig): Promise<Row> {
  return await withServer(rig, async ({ pid, request }) => {
    const given = { folder: rig.repo, paths: Array.from({ length: 20 }, () => 'src/a.js') };
    const call = { name: 'count_project_tokens', arguments: given };
    await Promise.all(Array.from({ length: 50 }, () => request('tools/call', call)));
    const value = memoryOf(pid, 'VmHWM');
    const floor = [await bareMemory(), 'node -e 0'] as const;
    return { name: 'MCP server: 50 calls at once', value, unit: 'MB', floor, limit: 4.5 };
  });
}

interface Server {
  readonly pid: number;
  /** By the clock of `performance`. */
  readonly started: number;
  readonly request: (method: string, params: object) => Promise<void>;
}

/** A server that has answered `initialize`, and ends with the action. */
async function withServer<T>(rig: Rig, action: (server: Server) => T | Promise<T>): Promise<T> {
  const started = performance.now();
  const child = spawn(process.execPath, [program, 'mcp'], {
    env: rig.environment,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const end = ended(child);
  const open = new Map<unknown, () => void>();
  createInterface(child.stdout).on('line', (line) => open.get(JSON.parse(line).id)?.());
  let requests = 0;
  const request = (method: string, params: object) =>
    new Promise<void>((resolve) => {
      requests += 1;
      open.set(requests, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: requests, method, params })}\n`);
    });
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  });
  const result = await action({ pid: child.pid ?? 0, started, request });
  child.stdin.end();
  await end;
  return result;
}

// Tests whole sessions in which models behind an API take part.
import { createServer } from 'node:http';
import { z } from 'zod';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { goodAnswer } from '../contract/three-clis.ts';
import { type ModelServer, startModelServer } from '../contract/model-server/server.ts';
import { calmVendor, synthesisOf } from '../helpers/planned-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors } from '../helpers/vendors.ts';

const key = 'key-of-the-user-1234567890';
let rig: Rig;
let server: ModelServer;
beforeEach(async () => {
  [rig, server] = await Promise.all([todoRig(), startModelServer()]);
  server.fallback(goodAnswer);
});
afterEach(() => server.close());

function local(name: string, model: string): string {
  return `[agents.${name}]
provider = "compatible"
base_url = "${server.url}/api/v1/"
model = "${model}"
`;
}

const plan = (...flags: readonly string[]) =>
  rig.conclave('plan', '--auto-yes', ...flags, todoTask);

test('an entry that names an unknown agent ends with 2, and says where', async () => {
  rig.config('[agents.opus]\ncli = "claud"');
  const { code, stderr } = await plan();
  expect(code).toBe(2);
  expect(stderr).toContain('config.toml:2: agents.opus.cli names "claud"');
  expect(stderr).toContain('Did you mean claude?');
});

describe('a session', () => {
  test(
    'of a CLI, a hosted model and a local one converges, and its receipts say who answered',
    short,
    async () => {
      configureVendors(rig, { alpha: calmVendor });
      rig.config(`${rig.configured()}
[agents.hosted]
provider = "anthropic"
base_url = "${server.url}/v1"
model = "claude-of-test"
key_command = ["printf", "%s", "${key}"]

[models.claude-of-test]
usd_per_million = { input = 100000, output = 0, cached = 50000 }

${local('mine', 'llama3:8b')}`);
      const { code, stdout, stderr } = await plan('--tools', 'alpha,hosted,mine');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const { receipts, convergence } = synthesisOf(rig, 1);
      expect(receipts).toMatchObject([
        { agent: 'alpha', transport: 'cli', vendor: 'vendor-alpha' },
        {
          agent: 'hosted',
          transport: 'api',
          model: 'claude-of-test',
          vendor: 'anthropic',
          tokens: { input: 19, output: 7, cached: 5 },
          // 14 at the full price, 5 at that of the cache.
          cost_usd: 1.65,
        },
        { agent: 'mine', model: 'llama3:8b', vendor: 'llama', cost_usd: null },
      ]);
      expect(convergence.score).toBeGreaterThan(0.5);
      const report = await rig.conclave('report');
      expect(report.code).toBe(0);
      const kept = JSON.stringify(rig.contents('.workflow'));
      expect(kept + stdout).not.toContain(key);
    },
  );

  test('of three local models of different families converges', async () => {
    rig.config(
      `${local('one', 'llama3:8b')}${local('two', 'qwen3:14b')}${local('three', 'mistral-small')}`,
    );
    const { code } = await plan('--tools', 'one,two,three', '--require-convergence');
    expect(code).toBe(0);
    const { receipts } = synthesisOf(rig, 1);
    expect(receipts.map(({ vendor }) => vendor)).toEqual(['llama', 'qwen', 'mistral']);
  });

  test('says once, as it runs, that the tokens of a server that tells none are an estimate', async () => {
    rig.config(`${local('one', 'llama3:uncounted')}${local('two', 'qwen3:14b')}`);
    const { code, stdout } = await plan('--tools', 'one,two');
    expect(code).toBe(0);
    const said =
      'one uses a server that reports no usage, so its tokens and the budget are estimates.';
    expect(stdout.split(said)).toHaveLength(2);
    expect(stdout).not.toContain('two uses a server that reports no usage');
  });

  test('of three of one family does not, and says so', async () => {
    rig.config(
      `${local('one', 'llama3:8b')}${local('two', 'llama3.1:70b')}${local('three', 'codellama')}`,
    );
    const { code, stdout } = await plan('--tools', 'one,two,three', '--require-convergence');
    expect(code).toBe(4);
    expect(stdout).toContain('Agreement needs models of two known vendors; only one answered.');
  });
});

describe('a model behind an API', () => {
  test('without a key is not asked, and says how it gets one', short, async () => {
    rig.config(`[agents.grok]\nprovider = "xai"\nmodel = "grok-of-test"\n`);
    const { code, stderr } = await plan('--tools', 'grok');
    expect(code).toBe(3);
    expect(stderr).toContain('XAI_API_KEY is not set');
    expect(stderr).toContain('key_command under [agents.grok]');
    const { stdout } = await rig.conclave('agents', 'grok', '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { state: 'not-logged-in', login_state: 'logged-out' },
    ]);
    const login = await rig.conclave('login', 'grok');
    expect(login).toMatchObject({ code: 3 });
    expect(login.stdout).toContain('Set XAI_API_KEY: export XAI_API_KEY=…');
    expect(login.stdout).toContain('key_command = ["secret-tool", "lookup"');
    expect(login.stdout).toContain('grok has no key: XAI_API_KEY is not set.');
  });

  test('costs what was told for the model that is asked, and nothing for another', async () => {
    rig.config(`${local('loc', 'qwen3:14b')}
[models."qwen3:14b"]
usd_per_million = { input = 50000, output = 0 }
[models.priced]
usd_per_million = { input = 100000, output = 0 }
`);
    server.fallback(() => ({ kind: 'text', text: 'So that it is good.' }));
    const costOf = async (...flags: string[]) => {
      const { stdout, stderr } = await rig.conclave(
        'consult',
        '--agent',
        'loc',
        ...flags,
        'Why?',
        '--json',
      );
      expect(stderr).toBe('');
      return z.looseObject({ cost_usd: z.number().nullable() }).parse(JSON.parse(stdout)).cost_usd;
    };
    const own = await costOf();
    expect(own).toBeGreaterThan(0);
    expect(await costOf('--model', 'priced')).toBeCloseTo(2 * Number(own));
    expect(await costOf('--model', 'other')).toBeNull();
  });

  test('is shown by agents and doctor with its transport and its address', short, async () => {
    rig.config(local('mine', 'qwen3:14b'));
    const { stdout } = await rig.conclave('agents', 'mine', '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      {
        name: 'mine',
        transport: 'api',
        address: `${server.url}/api/v1`,
        state: 'ready',
        model: 'qwen3:14b',
        vendor: 'qwen',
        part: 'asked',
      },
    ]);
    const doctor = await rig.conclave('doctor');
    expect(doctor.stdout).toMatch(/\nAGENT +BY .* MODEL +VENDOR /);
    expect(doctor.stdout).toMatch(
      /\nmine +api +http:\/\/127\S+\/api\/v1 .* qwen3:14b +qwen +.* our reading tools/,
    );
    const explained = await rig.conclave('agents', 'mine');
    expect(explained.stdout).toMatch(/read-only +file_read[^]*POST http/);
    expect(explained.stdout).toContain('refused: it edits nothing');
  });

  test('is asked by doctor --probe, which says that it answers', async () => {
    rig.config(local('mine', 'qwen3:14b'));
    server.fallback(() => ({ kind: 'text', text: '{"answer": "ready"}' }));
    const { stdout } = await rig.conclave('doctor', '--probe', '-y', '--json');
    const { agents } = z
      .object({ agents: z.array(z.looseObject({ name: z.string(), probe: z.unknown() })) })
      .parse(JSON.parse(stdout));
    expect(agents.find(({ name }) => name === 'mine')?.probe).toMatchObject({
      failure: null,
      model: 'qwen3:14b',
      resumes: null,
    });
  });

  test('of llama.cpp is offered by doctor alone', async () => {
    const models = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [{ id: 'phi4' }] }));
    });
    await new Promise<void>((resolve) => {
      models.listen(0, '127.0.0.1', resolve);
    });
    try {
      const address = models.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      Object.assign(rig.environment, { LLAMA_ARG_PORT: String(port) });
      rig.config('');
      const shown = async (command: string) => (await rig.conclave(command)).stdout;
      await expect.poll(() => shown('doctor')).toContain('llama.cpp answers');
      expect(await shown('agents')).not.toContain('llama.cpp');
    } finally {
      models.close();
    }
  });

  test('on this machine is offered with the lines that set it up, and not asked', async () => {
    const models = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [{ id: 'llama3:8b' }] }));
    });
    await new Promise<void>((resolve) => {
      models.listen(0, '127.0.0.1', resolve);
    });
    try {
      const address = models.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      Object.assign(rig.environment, { OLLAMA_HOST: `127.0.0.1:${port}` });
      rig.config('');
      const lines = `[agents.ollama]
provider = "compatible"
base_url = "http://127.0.0.1:${port}/v1"
model = "llama3:8b"
`;
      const offer = `Ollama answers at http://127.0.0.1:${port}/v1 with llama3:8b. To use one, put this into your settings:\n${lines}`;
      for (const command of ['agents', 'doctor']) {
        const shown = async () => (await rig.conclave(command)).stdout;
        // A busy machine may not answer within its 300 ms.
        await expect.poll(shown).toContain(offer);
        expect(await shown()).not.toMatch(/^ollama /m);
      }
      rig.config(lines);
      const { stdout } = await rig.conclave('agents');
      expect(stdout).not.toContain('Ollama answers');
      expect(stdout).toMatch(/^ollama +api +ready /m);
    } finally {
      models.close();
    }
  });
});

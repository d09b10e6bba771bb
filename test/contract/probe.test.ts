import { describe, expect, test } from 'vitest';
import { offeredModels, unknownFlags } from '../../src/agents/cli/describe.ts';
import { probe } from '../../src/agents/cli/probe.ts';
import { cliBench, text } from './cli-bench.ts';
import { digestsOf } from './digests.ts';
import { clis } from './install.ts';
import { cliNames, realClis } from './real-clis.ts';

const { signal } = new AbortController();

describe.each(cliNames)('%s', (name) => {
  const cli = realClis[name];
  const { adapter } = cli;
  const bench = cliBench(cli);

  test('lists every flag of a read-only run in its help, and leaves nothing in the home', async () => {
    const { room, server } = bench;
    const { home: HOME } = room;
    const PATH = `${clis}:${process.env['PATH']}`;
    // A home that the place for temporary files does not hold.
    const environment = { ...cli.environment(server.url), PATH, HOME, TMPDIR: '/var/tmp' };
    const setup = { adapter, settings: cli.settings(server.url), environment };
    const all = () => digestsOf(HOME, () => false);
    const before = all();
    expect(adapter.helpArgv).toBeDefined();
    expect(await unknownFlags(setup, signal)).toEqual([]);
    expect(all()).toEqual(before);
    const argv = () => [...adapter.argv(room.request('')), '--made-up-flag=1'];
    const other = { ...adapter, argv };
    expect(await unknownFlags({ ...setup, adapter: other }, signal)).toEqual(['--made-up-flag']);
  });

  test('tells its own list of models where it has one', async () => {
    const { room, server } = bench;
    const environment = { PATH: `${clis}:${process.env['PATH']}`, HOME: room.home };
    const settings = cli.settings(server.url);
    const models = await offeredModels({ adapter, settings, environment }, signal);
    const isListed = expect.arrayContaining([cli.model]);
    expect(models).toEqual(adapter.catalogue === undefined ? null : isListed);
  });

  test('answers a probe by the schema, and resumes its session', async () => {
    bench.server.on('Answer with the JSON', [text('{"ok": true}')]);
    const mark = `${bench.room.base}-probe`;
    expect(await probe(bench.room.agent(), { signal, mark })).toMatchObject({
      failure: null,
      model: expect.any(String),
      fits_schema: true,
      resumes: true,
    });
  });
});

import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { adapters } from '../../src/agents/list.ts';
import { AgentEvent } from '../../src/model/agent-event.ts';
import { eventsIn } from './transcripts.ts';

const folder = new URL('../fixtures/transcripts/', import.meta.url).pathname;
const transcripts = globSync('*/*.jsonl', { cwd: folder }).toSorted();
const textOf = (path: string) => readFileSync(join(folder, path), 'utf8');

function adapterOf(path: string) {
  const adapter = adapters.find(({ name }) => name === dirname(path));
  if (adapter === undefined) throw new Error(`no adapter reads ${path}`);
  return adapter;
}

describe('what the real CLIs printed', () => {
  test('is there for each of them', () => {
    const recorded = new Set(transcripts.map((path) => dirname(path)));
    expect([...recorded].toSorted()).toEqual(adapters.map(({ name }) => name).toSorted());
  });

  test.each(transcripts)('is read as it was: %s', (path) => {
    const events = eventsIn(adapterOf(path), textOf(path));
    expect(events).toEqual(JSON.parse(textOf(path.replace(/jsonl$/, 'events.json'))));
    expect(events.map((event) => AgentEvent.parse(event))).toEqual(events);
  });

  test.each(transcripts)('holds no unknown line: %s', (path) => {
    const events = eventsIn(adapterOf(path), textOf(path));
    expect(events.filter(({ kind }) => kind === 'unknown')).toEqual([]);
  });

  test.each(transcripts)('does no harm when its lines are torn: %s', (path) => {
    const adapter = adapterOf(path);
    for (const line of textOf(path).split('\n').filter(Boolean)) {
      for (const cut of [1, line.length >> 1, line.length - 1]) {
        const torn = line.slice(0, cut);
        expect([adapter.read(torn)].flat()).toEqual([{ kind: 'unknown', line: torn }]);
      }
    }
  });

  test.each(transcripts)('does no harm when its fields are of other types: %s', (path) => {
    const adapter = adapterOf(path);
    for (const line of textOf(path).split('\n').filter(Boolean)) {
      for (const other of ['null', '7', '"text"', '[]', '[null]', '{}']) {
        for (const changed of withOtherFields(line, JSON.parse(other))) {
          const events = [adapter.read(changed)].flat();
          expect(events.filter((event) => !AgentEvent.safeParse(event).success)).toEqual([]);
        }
      }
    }
  });
});

/** The line once for each field at any depth, with that field’s value replaced. */
function withOtherFields(line: string, value: unknown): string[] {
  const fields = [...line.matchAll(/"\w+":/g)].length;
  return Array.from({ length: fields }, (_, index) => {
    let seen = 0;
    return JSON.stringify(
      JSON.parse(line, (key, old: unknown) =>
        key !== '' && !/^\d+$/.test(key) && seen++ === index ? value : old,
      ),
    );
  });
}

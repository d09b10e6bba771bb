import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { adapters } from '../../../src/agents/cli/list.ts';
import { AgentEvent } from '../../../src/model/agent-event.ts';
import { eventsIn } from './transcripts.ts';

const folder = new URL('../../fixtures/transcripts/', import.meta.url).pathname;
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

  test.each(transcripts)('is read as it was, to the last line: %s', (path) => {
    const events = eventsIn(adapterOf(path), textOf(path));
    expect(events).toEqual(JSON.parse(textOf(path.replace(/jsonl$/, 'events.json'))));
    expect(events.map((event) => AgentEvent.parse(event))).toEqual(events);
    expect(events.filter(({ type }) => type === 'unknown')).toEqual([]);
  });
});

describe.each(adapters)('$name', (adapter) => {
  // One of each form.
  const own = transcripts.filter((path) => dirname(path) === adapter.name).map(textOf);
  const lines = own.flatMap((text) => text.split('\n')).filter(Boolean);
  const forms = new Map(lines.map((line) => [formOf(JSON.parse(line)), line] as const));

  test('is not harmed by lines that are torn', () => {
    for (const line of forms.values()) {
      for (const cut of [1, line.length >> 1, line.length - 1]) {
        const torn = line.slice(0, cut);
        expect([adapter.read(torn)].flat()).toEqual([{ type: 'unknown', line: torn }]);
      }
    }
  });

  test('is not harmed by fields of other types', () => {
    for (const line of forms.values()) {
      for (const other of ['null', '7', '"text"', '[]', '[null]', '{}']) {
        for (const changed of withOtherFields(line, JSON.parse(other))) {
          const events = [adapter.read(changed)].flat();
          expect(events.filter((event) => !AgentEvent.safeParse(event).success)).toEqual([]);
        }
      }
    }
  });
});

/** The names of the fields of a line at any depth, and its type. */
function formOf(line: unknown): string {
  const names = new Set<string>();
  const { type } = JSON.parse(
    JSON.stringify(line, (name, value: unknown) => (names.add(name), value)),
  );
  return [type, ...names].join();
}

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

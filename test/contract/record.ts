import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentAdapter } from '../../src/agents/agent.ts';
import { eventsIn } from '../agents/cli/transcripts.ts';
import type { CliRoom } from './cli-room.ts';

/**
 * With `CONCLAVE_RECORD=1`: keeps what the CLI printed in its last run as a golden transcript, with
 * the events that the adapter reads in it. Look at both before they are committed.
 */
export function record(
  room: Pick<CliRoom, 'base' | 'rawOutput'>,
  { adapter, name }: { readonly adapter: AgentAdapter; readonly name: string },
): void {
  if (process.env['CONCLAVE_RECORD'] !== '1') return;
  const folder = new URL(`../fixtures/transcripts/${adapter.name}`, import.meta.url).pathname;
  const text = neutral(room.rawOutput(), room.base);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.jsonl`), text);
  const events = `${JSON.stringify(eventsIn(adapter, text), null, 2)}\n`;
  writeFileSync(join(folder, `${name}.events.json`), events);
}

const project = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');

/** Without what differs from run to run and from machine to machine. */
function neutral(text: string, base: string): string {
  const ids = new Map<string, string>();
  const numbered = (id: string) => {
    const known =
      ids.get(id) ?? `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, '0')}`;
    ids.set(id, known);
    return known;
  };
  return (
    text
      .replaceAll(base, '/room')
      .replaceAll(project, '/conclave')
      .replaceAll(base.replace(/[^a-zA-Z0-9]/g, '-'), '-room')
      .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, numbered)
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:1')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '2026-01-01T00:00:00.000Z')
      // Calls of tools are named by the time.
      .replace(/_\d{13}_(?=\d+")/g, '_1_')
      .replace(/"(\w+_ms)":\d+(?:\.\d+)?/g, '"$1":100')
  );
}

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answerOf, cliBench, list, read, search, text } from './cli-bench.ts';
import { cliNames, realClis } from './real-clis.ts';

const kept = '.workflow/.multi-cli-plan/MCP-x/rounds/1/agents/other/answer.json';

describe.each(cliNames)('%s', (name) => {
  const bench = cliBench(realClis[name]);

  test('reads nothing of our sessions by any tool, but the rest of the repository', async () => {
    bench.room.write('repo/.workflow/.gitignore', '*\n');
    bench.room.write(`repo/${kept}`, '{"said":"by another agent"}');
    bench.room.write('apart/answer.json', '{"said":"by another agent"}');
    const tries = [
      read(join(bench.room.repo, kept)),
      read(kept),
      read(join(bench.room.base, 'apart/answer.json')),
      search('by another'),
      list('**/answer.json'),
      search('export const'),
    ];
    const { end } = await bench.ask(bench.scripted(...tries, text('Done.')));
    expect(answerOf(end)).toBe('Done.');
    const results = bench.server.log.flatMap(({ toolResults }) => toolResults.slice(-1));
    expect(results).toHaveLength(tries.length);
    expect(results.join()).not.toMatch(/by another agent/);
    expect(results.at(-1)).toContain('list.js');
  });
});

import { expect, test } from 'vitest';
import { asCalled, programName } from '../../src/commands/wiring/called-as.ts';

test('after npm start, commands are advised as npm runs them', () => {
  const program = programName({ npm_lifecycle_event: 'start', npm_package_name: 'conclave' });
  const advice = 'To go on: conclave resume MCP-x. The branch is conclave/MCP-x.';
  expect(asCalled(advice, program)).toBe(
    'To go on: npm start -- resume MCP-x. The branch is conclave/MCP-x.',
  );
});

test('a start script of another package changes nothing', () => {
  const program = programName({ npm_lifecycle_event: 'start', npm_package_name: 'mine' });
  expect(asCalled('conclave resume MCP-x', program)).toBe('conclave resume MCP-x');
});

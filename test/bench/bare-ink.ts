import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Box, Text, render } from 'ink';
import { createElement, useEffect, useState } from 'react';

/**
 * What three panes cost with Ink at least: reads the JSON lines of three programs into ring
 * buffers and draws them ten times a second. Arguments: a program of Node and its arguments.
 */
const [columns, rows, kept] = [39, 42, 400];
const panes = [0, 1, 2].map(() => ({ lines: [''], events: 0 }));

for (const pane of panes) {
  const child = spawn(process.execPath, process.argv.slice(2), {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  createInterface(child.stdout).on('line', (line) => add(pane, line));
  process.on('exit', () => child.kill());
}
process.on('SIGINT', () => process.exit());
render(createElement(Panes), {
  alternateScreen: true,
  incrementalRendering: true,
  exitOnCtrlC: false,
  maxFps: 15,
});

function add(pane: (typeof panes)[number], line: string): void {
  const event: Readonly<Record<string, unknown>> = JSON.parse(line);
  pane.events += 1;
  const told = event['text'] ?? event['path'] ?? event['command'];
  const text = typeof told === 'string' ? told : '';
  const [first = '', ...rest] = text.split('\n');
  const last = (pane.lines.pop() ?? '') + first;
  pane.lines.push(
    ...(last.length > columns ? [last.slice(0, columns), last.slice(columns)] : [last]),
    ...rest,
  );
  if (pane.lines.length > kept) pane.lines.splice(0, pane.lines.length - kept);
}

function Panes() {
  const [, setFrame] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setFrame((frame) => frame + 1), 100);
    return () => clearInterval(timer);
  }, []);
  return createElement(
    Box,
    { width: 120, height: 45 },
    panes.map((pane, index) =>
      createElement(
        Box,
        { key: index, flexDirection: 'column', width: columns + 1 },
        createElement(Text, { bold: true }, `agent ${index}: ${pane.events} events`),
        createElement(Text, { dimColor: true }, '─'.repeat(columns)),
        pane.lines
          .slice(-rows)
          .map((line, at) => createElement(Text, { key: at, wrap: 'truncate' }, line || ' ')),
      ),
    ),
  );
}

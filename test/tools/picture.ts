import { writeFileSync } from 'node:fs';
import { builtCli } from '../helpers/built.ts';
import { openTerminal } from '../helpers/open-terminal.ts';
import { makeRig } from '../helpers/rig.ts';
import { svgScreen, themes } from '../helpers/svg-screen.ts';

const size = { columns: 110, rows: 34 };

/** Runs the demo in a terminal up to the choice of an option, and keeps that screen as the picture of the README. */
builtCli();
const rig = makeRig();
const terminal = openTerminal(rig, ['demo'], {
  ...size,
  environment: { NO_COLOR: '', PATH: '/usr/bin:/bin' },
  patience: 120_000,
});
try {
  await terminal.shows('enter choose');
  for (const [name, theme] of Object.entries(themes)) {
    const svg = await svgScreen(terminal.bytes(), { ...size, theme });
    writeFileSync(new URL(`../../templates/help/options-${name}.svg`, import.meta.url), svg);
  }
} finally {
  await terminal.close();
  rig.remove();
}

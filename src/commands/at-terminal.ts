import { openTui } from '../faces/tui/open.tsx';
import { attendedBy } from './attended.ts';

/** The commands that open the terminal UI. */
export const atTerminal = attendedBy((opening) =>
  openTui({ ...opening, environment: process.env }),
);

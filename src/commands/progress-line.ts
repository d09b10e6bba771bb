/** One line on a terminal that says how far long work is, and is gone when it ends. */
export interface ProgressLine {
  readonly say: (text: string) => void;
  readonly end: () => void;
}

type Terminal = Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean; columns?: number };

/** Nothing is shown where no person looks, nor before the program has run for `patience` ms. */
export function progressLine(terminal: Terminal = process.stderr, patience = 1000): ProgressLine {
  const { isTTY = false } = terminal;
  let isShown = false;
  return {
    say(text) {
      if (!isTTY || process.uptime() * 1000 < patience) return;
      isShown = true;
      const { columns = 80 } = terminal;
      const room = Math.max(0, columns - echoed.length - 1);
      terminal.write(`${toStart}${text.slice(0, room)}${clearRest}`);
    },
    end() {
      if (isShown) terminal.write(`${toStart}${clearRest}`);
      isShown = false;
    },
  };
}

/** What terminals add to the line when Ctrl-C is pressed: it must not break it. */
const echoed = '^C^C';
const toStart = '\r';
const clearRest = '\x1b[K';

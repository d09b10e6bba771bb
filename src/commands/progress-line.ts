/** One line on a terminal that says how far long work is, and is gone when it ends. */
export interface ProgressLine {
  readonly say: (text: string) => void;
  readonly end: () => void;
}

type Terminal = Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean; columns?: number };

/** Nothing is shown where no person looks, nor before the program has run for `patience` ms. */
export function progressLine(terminal: Terminal = process.stderr, patience = 1000): ProgressLine {
  const { isTTY = false } = terminal;
  let latest = '';
  let isShown = false;
  let timer: NodeJS.Timeout | null = null;
  const show = (): void => {
    isShown = true;
    const { columns = 80 } = terminal;
    const room = Math.max(0, columns - echoed.length - 1);
    terminal.write(`${toStart}${latest.slice(0, room)}${clearRest}`);
  };
  return {
    say(text) {
      if (!isTTY) return;
      latest = text;
      const early = patience - process.uptime() * 1000;
      if (early <= 0) show();
      else if (Number.isFinite(early)) timer ??= setTimeout(show, early).unref();
    },
    end() {
      if (timer !== null) clearTimeout(timer);
      if (isShown) terminal.write(`${toStart}${clearRest}`);
      isShown = false;
    },
  };
}

/** What terminals add to the line when Ctrl-C is pressed: it must not break it. */
const echoed = '^C^C';
const toStart = '\r';
const clearRest = '\x1b[K';

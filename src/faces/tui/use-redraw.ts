// Draws the whole screen anew after the terminal had another size.
import { useStdout } from 'ink';
import { useEffect } from 'react';

/** After so many ms without another change of size, what is drawn fits the new one. */
const settled = 150;

const fromTheFirstCell = '\u001b[H\u001b[J';

/**
 * Draws the whole screen anew when the terminal had another size. Ink draws what changed from where
 * it left the cursor, and a terminal that is resized may move rows and cursor in ways of its own.
 * The signal comes also where the size is the old one again before anybody has looked.
 */
export function useRedrawAfterResize(): void {
  const { write } = useStdout();
  useEffect(() => {
    let timer: NodeJS.Timeout | undefined;
    const onResize = () => {
      clearTimeout(timer);
      timer = setTimeout(() => write(fromTheFirstCell), settled);
    };
    // A stopped program gets no signal when its terminal is resized.
    const onContinue = () => process.emit('SIGWINCH', 'SIGWINCH');
    process.on('SIGWINCH', onResize);
    process.on('SIGCONT', onContinue);
    return () => {
      clearTimeout(timer);
      process.off('SIGWINCH', onResize);
      process.off('SIGCONT', onContinue);
    };
  }, [write]);
}

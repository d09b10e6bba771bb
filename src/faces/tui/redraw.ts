import { useStdout } from 'ink';
import { useEffect } from 'react';

/** After so many ms without another change of size, what is drawn fits the new one. */
const settled = 150;

const fromTheFirstCell = '\u001b[H\u001b[J';

/**
 * Draws the whole screen anew when the terminal has another size. Ink draws what changed from where
 * it left the cursor, and a terminal that is resized may move rows and cursor in ways of its own.
 */
export function useRedrawAfterResize(): void {
  const { stdout, write } = useStdout();
  useEffect(() => {
    let timer: NodeJS.Timeout | undefined;
    const onResize = () => {
      clearTimeout(timer);
      timer = setTimeout(() => write(fromTheFirstCell), settled);
    };
    stdout.on('resize', onResize);
    return () => {
      clearTimeout(timer);
      stdout.off('resize', onResize);
    };
  }, [stdout, write]);
}

// Redraws the whole screen after the terminal changed its size.
import { useStdout } from 'ink';
import { useEffect } from 'react';

/** The time without another resize after which the drawing fits the new size, in ms. */
const settled = 150;

const fromTheFirstCell = '\u001b[H\u001b[J';

/**
 * Redraws the whole screen when the terminal changed its size. Ink draws changes from where it left
 * the cursor, but a resized terminal may move rows and cursor in its own way. The signal also
 * arrives if the size changed back before it was read.
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

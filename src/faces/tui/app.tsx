import { useStdout } from 'ink';
import { useEffect } from 'react';
import { DecisionScreen } from './screens/decision/view.tsx';
import { EndScreen } from './screens/end/view.tsx';
import { QuestionsScreen } from './screens/questions/view.tsx';
import { ReviewScreen } from './screens/review/view.tsx';
import { RunScreen } from './screens/run/view.tsx';
import { SessionsScreen } from './screens/sessions/view.tsx';
import { StartScreen } from './screens/start/view.tsx';
import { useTui } from './tools.tsx';

/** The screen of the moment. */
export function App() {
  useRedrawAfterResize();
  const stage = useTui((state) => state.stage);
  const besides = useTui((state) => state.besides);
  if (besides === 'run') return <RunScreen />;
  switch (stage.kind) {
    case 'start':
      return <StartScreen stage={stage} />;
    case 'sessions':
      return <SessionsScreen stage={stage} />;
    case 'run':
      return <RunScreen />;
    case 'clarify':
      return <QuestionsScreen stage={stage} />;
    case 'decide':
      return <DecisionScreen stage={stage} />;
    case 'approve':
      return <ReviewScreen stage={stage} />;
    case 'end':
      return <EndScreen stage={stage} />;
  }
}

/** After so many ms without another change of size, what is drawn fits the new one. */
const settled = 150;

const fromTheFirstCell = '\u001b[H\u001b[J';

/**
 * Draws the whole screen anew when the terminal had another size. Ink draws what changed from where
 * it left the cursor, and a terminal that is resized may move rows and cursor in ways of its own.
 * The signal comes also where the size is the old one again before anybody has looked.
 */
function useRedrawAfterResize(): void {
  const { write } = useStdout();
  useEffect(() => {
    let timer: NodeJS.Timeout | undefined;
    const onResize = () => {
      clearTimeout(timer);
      timer = setTimeout(() => write(fromTheFirstCell), settled);
    };
    process.on('SIGWINCH', onResize);
    return () => {
      clearTimeout(timer);
      process.off('SIGWINCH', onResize);
    };
  }, [write]);
}

import { useTui } from './context.ts';
import { useRedrawAfterResize } from './redraw.ts';
import { DecisionScreen } from './screens/decision/view.tsx';
import { EndScreen } from './screens/end/view.tsx';
import { QuestionsScreen } from './screens/questions/view.tsx';
import { ReviewScreen } from './screens/review/view.tsx';
import { RunScreen } from './screens/run/view.tsx';
import { SessionsScreen } from './screens/sessions/view.tsx';
import { StartScreen } from './screens/start/view.tsx';

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

// A scripted agent of `conclave demo`: it asks no model and answers what SCRIPT.json says, at its pace or --fast.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const script = JSON.parse(readFileSync(process.argv[2], 'utf8'));
if (process.argv.includes('--version')) {
  console.log('script 1.0.0');
  process.exit();
}
let prompt = '';
for await (const part of process.stdin.setEncoding('utf8')) prompt += part;
const question = JSON.parse(/^conclave question: (\{.*\})/.exec(prompt)?.[1] ?? '{}');
const { phase, task, part } = question;
const scene = script[task ? `${task}-${part}` : phase] ?? { says: [], answer: 'Nothing to do.' };
const pace = process.argv.includes('--fast') ? 0 : script.pace_ms;
const tell = (event) => console.log(JSON.stringify(event));

tell({ kind: 'started', agent_session: null, model: 'scripted, no model', version: '1.0.0' });
for (const says of scene.says) {
  tell(says.startsWith('read ') ? { kind: 'file-read', path: says.slice(5) } : spoken(says));
  await pause(pace);
}
for (const [path, text] of Object.entries(scene.edits ?? {})) {
  writeFileSync(path, text);
  tell({ kind: 'file-change', path });
  await pause(pace);
}
const answers = { examine: examination, compare: comparison };
const answer = answers[phase]?.(scene) ?? scene.answer;
const { session, round } = question;
const text = typeof answer === 'string' ? answer : JSON.stringify({ session, round, ...answer });
tell({ kind: 'completed', text });

function spoken(text) {
  return { kind: 'message', text: `${text}\n`, partial: false };
}

/** The solutions come under labels that are dealt anew, so each is known by its name. */
function examination({ stances, preferred, evidence }) {
  const shown = [...prompt.matchAll(/^.*Solution ([A-Z])\n.*Name: (.*)$/gm)];
  return {
    stances: shown.flatMap(([, solution, name]) => {
      const held = stances[name.trim()];
      return held === undefined ? [] : [{ solution, evidence, ...held }];
    }),
    preferred: shown.find(([, , name]) => name.trim() === preferred)?.[1] ?? null,
    revision: null,
    search_terms: [],
    questions: [],
  };
}

/** The demo has two solutions, so there is one pair. */
function comparison({ relation, difference }) {
  const [[, first], [, second]] = prompt.matchAll(/^.*Solution ([A-Z])\nName: .*$/gm);
  return { pairs: [{ first, second, relation, difference }] };
}

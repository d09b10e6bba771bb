// What the plan check found goes to the session in which the plan was written.
import { expect, test } from 'vitest';
import { planAnswer } from '../../faults/three-rounds.ts';
import { calmVendor } from '../../helpers/planned-rig.ts';
import { scriptedSession } from '../../helpers/scripted-session.ts';
import { todoRig } from '../../helpers/test-rig.ts';
import { configureVendors } from '../../helpers/vendors.ts';

const [first, ...others] = planAnswer.tasks;
const away = [{ path: 'src/nowhere.js', action: 'modify', target: 'nothing', change: 'Branch.' }];
const wrong = { ...planAnswer, tasks: [{ ...first, files: away }, ...others] };
const changes = { phase: 'planning', tasks: [first], removed: [] };

test.each([
  ['anywhere', 'alpha-session'],
  ['never', null],
] as const)(
  'a planner that resumes %s is told of findings in the session %j',
  async (resumes, session) => {
    const rig = await todoRig();
    configureVendors(rig, { alpha: calmVendor, beta: calmVendor });
    const replies = {
      propose: calmVendor.propose.answer,
      examine: calmVendor.examine.answer,
      'plan-review': { phase: 'plan-review', findings: [], summary: 'Nothing is missing.' },
    };
    const known = new Map<string, unknown>(Object.entries(replies));
    const { calls, sessions, prompts } = await scriptedSession(
      rig,
      ({ phase, repair }) => (phase === 'plan' ? (repair ? changes : wrong) : known.get(phase)),
      undefined,
      resumes,
    );
    const planned = calls.flatMap((call, at) =>
      call.includes(' plan-') && !call.includes('review') ? [at] : [],
    );
    expect(planned.map((at) => sessions[at])).toEqual([null, session]);
    expect(prompts[planned[1] ?? 0]).toContain('src/nowhere.js');
  },
);

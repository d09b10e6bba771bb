import type { GivenAnswers } from '../../faces/answers.ts';
import type { ResumeFlags } from '../flags.ts';
import type { Settings } from '../settings/load-settings.ts';

/** What the flags (and a trusted `auto_yes`) say in place of a person. */
export function givenAnswers(flags: ResumeFlags, settings: Settings): GivenAnswers {
  return {
    autoYes: settings.autoYes,
    solution: flags.solution ?? null,
    execution: flags.execution ?? null,
    review: flags.review ?? null,
    constraints: flags.constraint,
    feedback: flags.feedback ?? null,
  };
}

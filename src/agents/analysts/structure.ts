import { testMap } from '../../context/tests-of.ts';
import { type AnalystRun, draftOf } from './draft.ts';
import { namedPlaces } from './named-places.ts';

/** Proposes to change the code that the task names, with its tests. */
export const structure: AnalystRun = async function* ({ repository, about }) {
  const { task, context, constraints } = about;
  const places = yield* namedPlaces({ task, found: context.relevant_files, repository });
  if (places.length === 0) return { nothing: 'the task names no code that is here' };
  const map = testMap(await repository.files());
  return draftOf({
    task,
    constraints,
    places,
    tests: places.flatMap(({ path }) => map.of(path)),
    precedents: [],
    companions: [],
  });
};

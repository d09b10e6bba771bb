import type { EventOf } from '../model/event.ts';
import { shortened } from './short-forms.ts';

type Options = EventOf<'options.presented'>;

/** The options side by side for reading: what each is, who stands behind it, what it touches. */
export function optionLines({ options }: Options): readonly string[] {
  return options.flatMap((option) => [
    '',
    `  ${option.number}. ${shortened(option.name, 90)}`,
    `     from ${option.source_cli.join(', ')} · ${ratingsOf(option)}`,
    `     ${shortened(option.summary, 240)}`,
    ...option.pros.slice(0, 3).map((pro) => `     + ${shortened(pro, 110)}`),
    ...option.cons.slice(0, 3).map((con) => `     - ${shortened(con, 110)}`),
    ...option.affected.slice(0, 8).map((place) => `     ${shortened(place, 110)}`),
    ...(option.affected.length > 8 ? [`     and ${option.affected.length - 8} more`] : []),
    ...(option.number === options.length ? [''] : []),
  ]);
}

function ratingsOf({ draft, feasibility, effort, risk }: Options['options'][number]): string {
  if (draft) return 'a draft by rules, which nobody rated';
  return `feasibility ${feasibility.toFixed(2)} · effort ${effort} · risk ${risk}`;
}

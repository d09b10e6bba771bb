// Tells whether another model than the requested one answered.

/**
 * True if both are known and they differ: short names ("sonnet"), the provider before a name, its
 * date and the like after it make no difference. Names for the best available model match any.
 */
export function isOtherModel(asked: string | null, answered: string | null): boolean {
  if (asked === null || answered === null) return false;
  const [wanted, given] = [plainName(asked), plainName(answered)];
  if (anyModel.test(wanted) || wanted === given) return false;
  if (!/\d/.test(wanted)) return !given.split(/[^a-z]+/).includes(wanted);
  return ![
    [wanted, given],
    [given, wanted],
  ].some(
    ([short = '', long = '']) => long.startsWith(short) && variant.test(long.slice(short.length)),
  );
}

const anyModel = /^(?:default|auto|best|opusplan)\b/;

/** Matches a version of the same model: a date, a build number, or its maturity. */
const variant = /^(?:[-@:.](?:\d{3,}(?:-\d{2}){0,2}|v\d+|preview|latest|exp|stable))+$/;

function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/\[[^\]]*\]$/, '');
}

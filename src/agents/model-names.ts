// Tells if the model that answered is another one than was asked for.

/**
 * True if both are known and one is not the other: short names ("sonnet"), the provider before a
 * name, its date and the like after it make no difference. Names for whatever is best mean any.
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

/** A version of the same model: a date, a number of a build, or how ready it is. */
const variant = /^(?:[-@:.](?:\d{3,}(?:-\d{2}){0,2}|v\d+|preview|latest|exp|stable))+$/;

function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/\[[^\]]*\]$/, '');
}

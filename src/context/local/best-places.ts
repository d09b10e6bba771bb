/** The places of the greatest scores above zero, the greatest first; `before` tells equal ones apart. */
export function bestPlaces(
  scores: Float64Array,
  { most, before }: { readonly most: number; readonly before: (a: number, b: number) => number },
): readonly number[] {
  const least = scores.toSorted().at(-most) ?? 0;
  const places: number[] = [];
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place] ?? 0;
    if (score > 0 && score >= least) places.push(place);
  }
  return places
    .toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || before(a, b))
    .slice(0, most);
}

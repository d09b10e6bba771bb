/**
 * What a screen knows of a question: made when it is first shown, and still there when the person
 * comes back from the run.
 */
export function perQuestion<Kept>(make: () => Kept): (question: object) => Kept {
  const all = new WeakMap<object, Kept>();
  return (question) => {
    const known = all.get(question) ?? make();
    all.set(question, known);
    return known;
  };
}

/** What a terminal is given at most over time: also one behind a slow line shows all of it. */
const bytesPerMs = 20;
/** However large the frames are, the next one comes after this many ms. */
const longestPause = 500;

/** Pauses in ms between frames that nobody waits for: the longer, the more the last one wrote. */
export function paceOf(out: { readonly bytesWritten: number }): () => number {
  let before = out.bytesWritten;
  return () => {
    const written = out.bytesWritten - before;
    before = out.bytesWritten;
    return Math.min(longestPause, written / bytesPerMs);
  };
}

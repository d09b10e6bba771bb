// Says what counts as found evidence; loads no shapes, because screens need it early.

/** True if the check found evidence for the remark. */
export function hasFoundEvidence(remark: {
  readonly evidence: readonly { readonly status: string }[];
}): boolean {
  return remark.evidence.some(isFound);
}

/** True if the check found the cited place. */
export function isFound({ status }: { readonly status: string }): boolean {
  return status === 'verified' || status === 'moved';
}

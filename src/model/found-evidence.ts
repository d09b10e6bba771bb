// Says what counts as found evidence; loads no shapes, as screens need it.

/** True where the check found evidence of it. */
export function hasFoundEvidence(remark: {
  readonly evidence: readonly { readonly status: string }[];
}): boolean {
  return remark.evidence.some(isFound);
}

/** True where the check found the place that is cited. */
export function isFound({ status }: { readonly status: string }): boolean {
  return status === 'verified' || status === 'moved';
}

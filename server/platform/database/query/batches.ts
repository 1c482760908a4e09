/**
 * Repeats a statement until it affects less than a full batch, so that no transaction is long. @param size rows per
 * batch @param one runs a batch and returns the number of rows @param most maximum number of batches; the rest is left
 * for the next call
 */
export async function inBatches(
  size: number,
  one: () => Promise<number | bigint | null | undefined>,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let i = 0; i < most && Number((await one()) ?? 0) >= size; i++);
}

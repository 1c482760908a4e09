/** Does a statement again until it finds less than a full batch, so that no transaction is long, however much there is to do.
 * @param size rows of a batch @param one does one batch, and says how many rows that was @param most batches at once: what is left then is for the next time */
export async function inBatches(
  size: number,
  one: () => Promise<number | bigint | null | undefined>,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let i = 0; i < most && Number((await one()) ?? 0) >= size; i++);
}

/** Does a statement again until it finds less than a full batch, so that no transaction is long, however much there is to do.
 * @param size rows of a batch @param one does one batch. @returns how many rows that was */
export async function inBatches(size: number, one: () => Promise<number | bigint | null | undefined>): Promise<void> {
  while (Number((await one()) ?? 0) >= size);
}

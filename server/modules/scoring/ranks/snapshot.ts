/** The visibility of a transaction, as `pg_current_snapshot()` returns it. */
export type Snapshot = { xmin: number; xmax: number; running: Set<number> }

/**
 * Parses `xmin:xmax:xip,…` (PostgreSQL, pg_snapshot): all transactions below xmin had ended, none from xmax had begun, and
 * those listed were in progress. Numbers are exact: transaction numbers stay below 2^53.
 */
export function parseSnapshot(text: string): Snapshot {
  const [xmin, xmax, running] = text.split(':')
  if (!xmin || !xmax || running === undefined) throw new Error(`"${text}" is not a snapshot`)
  return {
    xmin: Number(xmin),
    xmax: Number(xmax),
    running: new Set(running === '' ? [] : running.split(',').map(Number)),
  }
}

/** Whether a snapshot sees a committed transaction. @param xid the number of the top-level transaction */
export function sees({ xmin, xmax, running }: Snapshot, xid: number): boolean {
  return xid < xmin || (xid < xmax && !running.has(xid))
}

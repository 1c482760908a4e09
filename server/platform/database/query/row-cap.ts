import { inBatches } from './batches.ts'

/** Rows that a process adds between two checks. */
const LOOK_AFTER = 100
/** Rows deleted at a time. */
const BATCH = 1000

type Bound = {
  /** Runs a statement. @returns the number of deleted rows */
  run: (statement: string) => Promise<bigint | number | null | undefined>
  table: string
  /** A condition for the rows that count. */
  rows: string
  /** The column with their age; needs an index together with the condition. */
  by: string
  most: number
}

/**
 * Bounds the number of rows that anyone can create, by deleting the oldest. Refusing new ones would lock everybody out
 * during a flood; this only affects clients slower than the flood.
 */
export function oldestFirst({ run, table, rows, by, most }: Bound) {
  const statement = `
    delete from ${table} where ctid = any(array(
      select ctid from ${table}
       where ${rows} and ${by} < (select ${by} from ${table} where ${rows} order by ${by} desc offset ${most - 1} limit 1)
       limit ${BATCH} for update skip locked))`
  const trim = () => inBatches(BATCH, () => run(statement))
  let made = 0
  return {
    /** Call it after each row. Each process may exceed the bound by up to 100 rows. */
    async noteOne(): Promise<void> {
      made = (made + 1) % LOOK_AFTER
      if (made === 0) await trim()
    },
    /** Removes the rows above the bound. */
    trim,
  }
}

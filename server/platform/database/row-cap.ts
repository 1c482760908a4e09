import { inBatches } from './query/batches.ts'

/** Rows that a process makes between two looks at how many there are. */
const LOOK_AFTER = 100
/** Rows that are deleted at once. */
const BATCH = 1000

type Bound = {
  /** Carries out a statement. @returns how many rows it deleted */
  run: (statement: string) => Promise<bigint | number | null | undefined>
  table: string
  /** Which of its rows count, as a condition. */
  rows: string
  /** The column that says which is older; with the condition it needs an index. */
  by: string
  most: number
}

/**
 * Bounds rows that anybody can make: the oldest go first. New ones that were refused would keep everybody out for as long as a
 * flood lasts, while this costs those alone who take longer than the flood takes to fill the bound.
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
    /** To be called after each row. Up to 100 more than the bound may be there, of each process. */
    async noteOne(): Promise<void> {
      made = (made + 1) % LOOK_AFTER
      if (made === 0) await trim()
    },
    /** Removes what is above the bound. */
    trim,
  }
}

import pg from 'pg'
import type { Service } from './service.ts'

export type Sql = ReturnType<typeof sqlOn>

/** Runs a statement on the service's database, for checks or to let time pass. Counts are numbers. */
export function sqlOn(service: Service) {
  return async <Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: service.databaseUrl })
    client.setTypeParser(20, Number)
    await client.connect()
    try {
      return (await client.query<Row>(statement, values)).rows
    } finally {
      await client.end()
    }
  }
}

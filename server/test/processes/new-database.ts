import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { withDatabase } from '../database.ts'

/** An empty database on the PostgreSQL of the run, or on the given one. */
export async function newDatabase(server = process.env.CAIRN_TEST_POSTGRES!) {
  const name = `cairn_new_${randomBytes(6).toString('hex')}`
  await ask(server, `create database ${name}`)
  return {
    url: withDatabase(server, name),
    drop: () => ask(server, `drop database if exists ${name} with (force)`),
  }
}

async function ask(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  type KyselyPlugin,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type QueryId,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'
import { currentRequest, type RequestContext } from './request-context.ts'

/** Statements sent through {@link reading}. */
const readIds = new WeakSet<QueryId>()
const marksReads: KyselyPlugin = {
  transformQuery({ node, queryId }) {
    readIds.add(queryId)
    return node
  },
  transformResult: async ({ result }) => result,
}

/** The same database, for raw statements that only read: otherwise a raw statement counts as a write. */
export const reading = <Tables>(db: Kysely<Tables>): Kysely<Tables> => db.withPlugin(marksReads)

/** Awaits a statement or commit, and marks the request as possibly having written, unless the database rolled it back. @throws the error of the statement */
export async function trackWrite<Result>(request: RequestContext, statement: Promise<Result>): Promise<Result> {
  try {
    const result = await statement
    request.mayHaveWritten = true
    return result
  } catch (error) {
    if (!isRolledBack(error)) request.mayHaveWritten = true
    throw error
  }
}

/** Whether the database refused a statement and undid it. After a lost connection (FATAL) the outcome is unknown. */
export const isRolledBack = (error: unknown): boolean => error instanceof pg.DatabaseError && !endsConnection(error)

/** Checks SQLSTATE too, because the severity is translated: connection exceptions, operator intervention, idle in transaction. */
const endsConnection = ({ severity, code }: pg.DatabaseError) =>
  severity === 'FATAL' || severity === 'PANIC' || /^(08|57P|25P03)/.test(code ?? '')

/** PostgreSQL for Kysely; marks requests with `tracksWrites` whose statements may have changed something. */
export class WriteTrackingDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new WriteTrackingDriver(this.#config)
  }
}

class WriteTrackingDriver extends PostgresDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    const request = currentRequest()
    const connection = await super.acquireConnection()
    return request?.tracksWrites ? new TrackedConnection(connection, request) : connection
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (connection instanceof TrackedConnection) connection.isInTransaction = true
    await super.beginTransaction(connection, settings)
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const committed = super.commitTransaction(connection)
    if (!(connection instanceof TrackedConnection)) return committed
    await trackWrite(connection.request, committed)
    connection.isInTransaction = false
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(untracked(connection))
    if (connection instanceof TrackedConnection) connection.isInTransaction = false
  }

  override releaseConnection(connection: DatabaseConnection): Promise<void> {
    return super.releaseConnection(untracked(connection))
  }
}

type PostgresConnection = Parameters<PostgresDriver['releaseConnection']>[0]

const untracked = (connection: DatabaseConnection) =>
  (connection instanceof TrackedConnection ? connection.connection : connection) as PostgresConnection

/** A connection in use by a request. In a transaction, only the commit counts. */
class TrackedConnection implements DatabaseConnection {
  readonly connection: DatabaseConnection
  readonly request: RequestContext
  isInTransaction = false

  constructor(connection: DatabaseConnection, request: RequestContext) {
    this.connection = connection
    this.request = request
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const result = this.connection.executeQuery<Row>(query)
    return this.isInTransaction || isRead(query) ? result : trackWrite(this.request, result)
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.connection.streamQuery<Row>(query, chunkSize)
  }
}

/** Selects of the query builder are reads, unless they begin with other statements (`with`); so are statements sent through {@link reading}. */
const isRead = ({ query, queryId }: CompiledQuery): boolean =>
  (query.kind === 'SelectQueryNode' && !query.with) || readIds.has(queryId)

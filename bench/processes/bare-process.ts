import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { boardSql, boardTextSql } from '../../server/modules/scoring/leaderboards/board-sql.ts'
import { defaultGame } from '../../server/modules/scoring/types/store.ts'
import { newId } from '../../server/platform/ids.ts'

/**
 * The limit: bare `node:http` and `pg` with the same SQL and the same bytes, without routing, checks, limits and logs.
 */
const [databaseUrl, app, kept] = process.argv.slice(2) as [string, string, string]
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 1184 && format !== 'binary'
      ? (text: string) => `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
      : pg.types.getTypeParser(oid, format as 'text'),
}
const pool = new pg.Pool({ connectionString: databaseUrl, max: 16, types: types as pg.CustomTypesConfig })
const player = `select id, display_name as "displayName", user_id as "userId", image_url as "imageUrl",
  created_at as "createdAt", updated_at as "updatedAt" from players where app_id = $1 and id = $2`

const newPlayer = `insert into players (app_id, id, display_name, name_key, user_id, created_at, updated_at)
  values ($1, $2, $3, $4, null, clock_timestamp(), clock_timestamp()) on conflict (app_id, name_key) do nothing
  returning id, display_name as "displayName", user_id as "userId", image_url as "imageUrl", created_at as "createdAt",
            updated_at as "updatedAt"`
const keptBytes = Buffer.from(kept)

async function answerTo(what: string | undefined, id: string | undefined, request: IncomingMessage) {
  if (what === 'kept') return keptBytes
  if (what === 'player') {
    const { rows } = await pool.query({ name: 'player', text: player, values: [app, id] })
    return JSON.stringify(rows[0])
  }
  if (what === 'board-text') {
    const { rows } = await pool.query({
      name: 'board_text',
      text: boardTextSql,
      values: [app, defaultGame, 100, 'http://127.0.0.1'],
    })
    return `{"miniGameTypeId":null,"miniGameTypeName":null,"leaderboard":[${rows[0].entries}]}`
  }
  if (what === 'board') {
    const { rows } = await pool.query({ name: 'board', text: boardSql, values: [app, defaultGame, 100] })
    return JSON.stringify({ miniGameTypeId: null, miniGameTypeName: null, leaderboard: rows })
  }
  const { displayName } = JSON.parse(await text(request))
  if (typeof displayName !== 'string' || displayName.length < 1 || displayName.length > 255) throw new Error('400')
  const values = [app, newId(), displayName, displayName.toLowerCase()]
  return JSON.stringify((await pool.query({ name: 'new_player', text: newPlayer, values })).rows[0])
}

const server = createServer(async (request, response) => {
  const [, what, id] = request.url!.split('/')
  const body = await answerTo(what, id, request)
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  process.send!({ url: `http://127.0.0.1:${port}` })
})
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send!(user + system)
})
process.on('disconnect', () => process.exit(0))

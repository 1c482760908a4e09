import { createServer } from 'node:http'
import pg from 'pg'
import { boardSql } from '../server/modules/scoring/leaderboard-store.ts'
import { defaultGame } from '../server/modules/scoring/type-store.ts'

/** The limit: bare `node:http` and `pg`, the same SQL, the same bytes, and nothing around them: no routing, no checks, no limits, no log. */
const [databaseUrl, app] = process.argv.slice(2) as [string, string]
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 1184 && format !== 'binary'
      ? (text: string) => `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
      : pg.types.getTypeParser(oid, format as 'text'),
}
const pool = new pg.Pool({ connectionString: databaseUrl, max: 16, types: types as pg.CustomTypesConfig })
const player = `select id, display_name as "displayName", user_id as "userId", image_url as "imageUrl",
  created_at as "createdAt", updated_at as "updatedAt" from players where app_id = $1 and id = $2`

const server = createServer(async (request, response) => {
  const [, what, id] = request.url!.split('/')
  let body: unknown
  if (what === 'player') body = (await pool.query({ name: 'player', text: player, values: [app, id] })).rows[0]
  else if (what === 'board') {
    const { rows } = await pool.query({ name: 'board', text: boardSql, values: [app, defaultGame, 100] })
    body = { miniGameTypeId: null, miniGameTypeName: null, leaderboard: rows }
  }
  const text = JSON.stringify(body)
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
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

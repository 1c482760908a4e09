import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { settableClock } from '../../injection/clock.ts'
import { credentials } from '../../injection/clock-credentials.ts'
import { type Client, expectStatus } from '../../load/client.ts'
import { openGame } from '../../load/game.ts'
import { createFindings, type Findings, type Row } from '../../row.ts'
import type { Sql } from '../../sites/sql.ts'
import { openTopologySite } from '../../sites/topology-site.ts'

const HOUR = 3600
/** Set one after the other while the process runs: seconds before the right time. */
const CLOCKS = [-HOUR, HOUR, 0, 600]
/** Over for so long, or good for so long. */
const SKEW = 31
const APPS = '/api/v1/apps'
/** Requests a minute of one key. */
const QUOTA = 80
const WINDOW_MS = 60_000

type World = {
  client: Client
  sql: Sql
  made: ReturnType<typeof credentials>
  /** Of a session that lives. */
  token: string
  key: string
  file: string
  wrong: Findings
}

/** F9: the process's clock is wrong, and is set while it serves; the database's is right. */
export const wrongClock: Row = {
  id: 'F9',
  title: 'Clock an hour behind, an hour ahead, and ten minutes ahead at once',
  async run(context) {
    const wrong = createFindings()
    const clock = await settableClock()
    context.after(() => rm(clock.folder, { recursive: true }))
    const settings = { ...clock.settings, CAIRN_TRUSTED_PROXIES: 'loopback', CAIRN_LIMIT_KEY_PER_MINUTE: String(QUOTA) }
    const site = await openTopologySite(context, { settings })
    const { CAIRN_SECRET: secret = '' } = await site.settingsOf(0)
    const { client, sql } = site
    const made = credentials({ databaseUrl: site.postgres.url, secret, issuer: 'cairn', sql })
    context.after(made.close)
    const token = await site.token()
    let window = performance.now()
    const [game, spent] = [await openGame(client, token, { players: 1 }), await openGame(client, token, { players: 1 })]
    const sent = await expectStatus(client.send({ method: 'POST', path: '/api/upload', ...form('a.bin', 'kept') }))
    const file = new URL(sent.body.results[0].url).pathname.replace('/files/', '')
    const world = { client, sql, made, token, key: game.key, file, wrong }

    let checks = 0
    const repeated = await repeat(world, randomUUID())
    await spend(client, spent.key)
    for (const offset of CLOCKS) {
      // A window lasts a minute: with little of it left the next one is used up too.
      if (performance.now() - window > WINDOW_MS * 0.7) {
        await sleep(WINDOW_MS + 1000)
        window = performance.now()
        await spend(client, spent.key)
      }
      clock.set(offset)
      const found = await look(world, spent.key, repeated)
      for (const [what, isRight] of Object.entries(found)) {
        checks++
        if (!isRight) wrong.add(what, `${offset} s`)
      }
    }
    // A process that starts with a wrong clock goes by the database's as well.
    const starts = context.times(0, 2, 2)
    for (const offset of CLOCKS.slice(0, starts)) {
      await site.apis[0]!.kill()
      clock.set(offset)
      await site.apis[0]!.start()
      await spend(client, spent.key)
      for (const [what, isRight] of Object.entries(await look(world, spent.key, repeated))) {
        checks++
        if (!isRight) wrong.add(`${what}, from the start`, `${offset} s`)
      }
    }
    return {
      what: 'the clock of the process set by libfaketime while it serves; codes, session tokens, signed URLs, announced uploads, Idempotency-Keys and quotas checked each time, just before and after they expire',
      count: `${CLOCKS.length} clocks, ${starts} starts with a wrong one, ${checks} checks`,
      criterion: `no code, token or URL is valid ${SKEW} s after it expires by the database's clock, none expires ${SKEW} s before; Idempotency-Keys are kept for 24 h, quotas for their minute`,
      seen: wrong.any ? wrong.text() : 'all by the clock of the database',
      passed: !wrong.any,
    }
  },
}

/** Each rule, and whether it holds now. */
async function look(world: World, spentKey: string, repeated: { key: string; id: string }) {
  const { client, sql, made, file } = world
  const now = await made.inSeconds(0)
  const isAQuarter = (seconds: number) => Math.abs(seconds - now - 900) <= 30
  const get = async (path: string, headers = {}) => client.send({ method: 'GET', path, headers })
  const me = async (seconds: number) => {
    const token = await made.sessionToken(world.token, seconds)
    return (await get(APPS, { authorization: `Bearer ${token}` })).status
  }
  const announced = await announce(client)
  const late = await announce(client)
  const put = async (path: string, content: string) =>
    (await client.send({ method: 'PUT', path, headers: { 'content-type': 'text/plain' }, body: Buffer.from(content) }))
      .status
  const download = await expectStatus(get(`/api/download?url=${encodeURIComponent(`${client.url()}/files/${file}`)}`))
  const expires = Number(new URL(download.body.url ?? download.body.downloadUrl).searchParams.get('expires'))
  const over = await get(`${APPS}/players`, { 'x-app-api-key': spentKey })
  const [past, young] = [await code(world, "now() - interval '1 second'"), await code(world)]
  await sql(`update idempotency_keys set created_at = now() - interval '23 hours' where key = $1`, [repeated.key])
  const again = await repeat(world, repeated.key)
  const old = await repeat(world, randomUUID())
  await sql(`update idempotency_keys set created_at = now() - interval '25 hours' where key = $1`, [old.key])
  return {
    'a code counts past its end': past.status !== 'VALID' && !past.sessionToken,
    'a live code does not count': young.status === 'VALID' && young.sessionToken !== undefined,
    'a session token counts past its end': (await me(-SKEW)) === 401,
    'a session token ends too early': (await me(SKEW)) === 200,
    'an address to download counts past its end': (await get(await made.download(file, -SKEW))).status === 403,
    'an address to download ends too early': (await get(await made.download(file, SKEW))).status === 200,
    'an address to download is not for a quarter of an hour': isAQuarter(expires),
    'an announced upload is not for a quarter of an hour': isAQuarter(Date.parse(announced.expiresAt) / 1000),
    'an address to upload counts past its end':
      (await put(await made.upload(late.key, late.grant, -SKEW), 'late')) === 403,
    'an address to upload ends too early':
      (await put(await made.upload(announced.key, announced.grant, SKEW), 'here')) === 200,
    'an Idempotency-Key of 23 hours is not known': again.id === repeated.id,
    'an Idempotency-Key of 25 hours is known': (await repeat(world, old.key)).id !== old.id,
    'a spent quota is not spent any more': over.status === 429,
    'a spent quota is spent for longer than its minute':
      over.status !== 429 || Number((over as { headers: Record<string, string> }).headers['retry-after']) <= 60,
  }
}

let address = 0

/** Makes a code of the user and exchanges it. @param ends when it ends, as SQL says it */
async function code({ client, sql, token }: World, ends?: string) {
  const made = await expectStatus(
    client.send({ method: 'POST', path: '/auth/codes', headers: { authorization: `Bearer ${token}` } }),
  )
  if (ends) await sql(`update codes set expires_at = ${ends} where live`)
  const from = { 'x-forwarded-for': `10.0.0.${++address}` }
  const answer = await client.send({
    method: 'POST',
    path: '/auth/codes/exchange',
    headers: from,
    body: { code: made.body.code },
  })
  return (answer as { body: { status?: string; sessionToken?: string } }).body
}

async function announce(client: Client) {
  const { body } = await expectStatus(
    client.send({
      method: 'POST',
      path: '/api/upload/presigned',
      body: { fileName: 'a.txt', contentType: 'text/plain', fileSize: 4 },
    }),
  )
  return { key: body.key as string, expiresAt: body.expiresAt as string, grant: { type: 'text/plain', size: 4 } }
}

/** Makes a session of a game under this Idempotency-Key. */
async function repeat({ client, key: app }: Pick<World, 'client' | 'key'>, key: string) {
  const headers = { 'x-app-api-key': app, 'idempotency-key': key }
  const { body } = await expectStatus(client.send({ method: 'POST', path: `${APPS}/game-sessions`, headers, body: {} }))
  return { key, id: body.id as string }
}

/** Uses the quota of a key up. */
async function spend(client: Client, key: string) {
  const ask = () => client.send({ method: 'GET', path: `${APPS}/players`, headers: { 'x-app-api-key': key } })
  const asked = await Promise.all(Array.from({ length: QUOTA + 1 }, ask))
  if (!asked.some(({ status }) => status === 429)) throw new Error(`${QUOTA + 1} requests were not over the quota`)
}

function form(name: string, content: string) {
  const boundary = 'faults'
  const text = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n${content}\r\n--${boundary}--\r\n`
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body: Buffer.from(text) }
}

import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { caller, formWith } from './client.ts'

/**
 * Walks through the whole service over HTTP with the files beside this one, and prints each step. CAIRN_TOUR_URL is the
 * address of the service (default: port CAIRN_PORT of 127.0.0.1), CAIRN_TOUR_TOKEN a session token (default: one created
 * by `cairn user token`).
 */
const URL_OF_SERVICE = process.env.CAIRN_TOUR_URL ?? `http://127.0.0.1:${process.env.CAIRN_PORT ?? 8080}`
const file = (name: string) => fileURLToPath(new URL(`./files/${name}`, import.meta.url))

function sessionToken(): string {
  if (process.env.CAIRN_TOUR_TOKEN) return process.env.CAIRN_TOUR_TOKEN
  const cli = fileURLToPath(new URL('../../server/cli.ts', import.meta.url))
  return execFileSync(process.execPath, [cli, 'user', 'token', '--name', 'tour'], { encoding: 'utf8' }).trim()
}

let steps = 0
async function step<Result>(title: string, work: () => Promise<[Result, ...string[]]>): Promise<Result> {
  const begin = performance.now()
  const [result, ...lines] = await work()
  console.log(`${String(++steps).padStart(2)}. ${title} (${Math.round(performance.now() - begin)} ms)`)
  for (const line of lines) console.log(`      ${line}`)
  return result
}

async function tour() {
  const user = await step('You sign in', async () => {
    await fetch(`${URL_OF_SERVICE}/healthz`)
    const you = caller(URL_OF_SERVICE, { authorization: `Bearer ${sessionToken()}` })
    const { user } = await you.post('/auth/sync', {})
    return [{ ...you, id: user.id as string }, 'with a session token']
  })

  const app = await step('You make an app and get its key', async () => {
    const made = await user.post('/api/v1/apps', {
      name: 'Greenwich trail',
      description: 'A race through the park',
      visibility: 'PUBLIC',
    })
    return [caller(URL_OF_SERVICE, { 'x-app-api-key': made.apiKey }), `the key begins ${made.apiKey.slice(0, 14)}…`]
  })

  const players = await step('Three players join', async () => {
    const made = []
    for (const displayName of ['Ada', 'Grace', 'Edsger'])
      made.push(await app.post('/api/v1/apps/players', { displayName }))
    return [made, ...made.map(({ displayName, id }) => `${displayName} is ${id}`)]
  })

  const session = await step('A game session of the type "Hill run" opens, and all three are registered', async () => {
    const type = await app.post('/api/v1/apps/mini-game-types', { name: 'Hill run' })
    const made = await app.post('/api/v1/apps/game-sessions', { name: 'Saturday', miniGameTypeId: type.id })
    for (const { id } of players) await app.post(`/api/v1/apps/game-sessions/${made.id}/players`, { playerId: id })
    return [made]
  })

  await step('Scores come in; two of them are equal', async () => {
    for (const [index, score] of [1250, 990.5, 1250].entries())
      await app.patch(`/api/v1/apps/game-sessions/${session.id}/players/${players[index].id}`, { score })
    const { leaderboard } = await app.get('/api/v1/apps/leaderboards/mini-game?miniGameTypeName=Hill%20run')
    return [
      null,
      ...leaderboard.map(
        (entry: Entry, place: number) => `${place + 1}. ${entry.playerDisplayName} with ${entry.playerScore}`,
      ),
    ]
  })

  await step('Each asks for a world rank', async () => {
    const lines = []
    for (const { id, displayName } of players) {
      const rank = await app.get(`/api/v1/apps/players/${id}/global-ranking?miniGameTypeName=Hill%20run`)
      lines.push(`${displayName} is number ${rank.ranking} (equal scores share a rank)`)
    }
    return [null, ...lines]
  })

  await step('A headset without a keyboard signs in with six digits', async () => {
    const { code } = await user.post('/auth/codes', {})
    const { status, sessionToken } = await caller(URL_OF_SERVICE, {}).post('/auth/codes/exchange', { code })
    const headset = caller(URL_OF_SERVICE, { authorization: `Bearer ${sessionToken}` })
    const { apps } = await headset.get('/api/v1/apps')
    return [null, `${code} is ${status}; to the headset the key of "${apps[0].name}" reads ${apps[0].apiKey}`]
  })

  const model = await step('A GLB model is uploaded and becomes a USDZ for Apple AR', async () => {
    const answer = await user.post('/api/upload/convert', await formWith(file('suzanne.glb'), 'model/gltf-binary'))
    const converted =
      answer.convertedFile ??
      (await user.post(`/api/upload/${answer.originalFile.id}/converted_file`, {})).convertedFile
    const bytes = await user.bytes(converted.fileUrl)
    return [
      converted,
      `${answer.originalFile.fileName} -> ${converted.fileName}, ${bytes.length} bytes`,
      converted.fileUrl,
    ]
  })

  const zone = await step('A zone of the park is drawn', async () => {
    const { zones } = await user.get('/api/zones')
    const known = zones.find(({ title, userId }: Zone) => title === 'Greenwich Park' && userId === user.id)
    if (known) return [known, `zone ${known.id}, from an earlier tour`]
    const ring = [
      [-0.004, 51.474],
      [0.004, 51.474],
      [0.004, 51.481],
      [-0.004, 51.481],
      [-0.004, 51.474],
    ]
    const boundary = { type: 'Polygon', coordinates: [ring] }
    const made = await user.post('/api/zones', { title: 'Greenwich Park', boundary })
    return [made, `zone ${made.id}`]
  })

  await step('A survey file with decimal commas becomes ground control points', async () => {
    const { results } = await user.post('/api/upload', await formWith(file('park.csv'), 'text/csv'))
    const upload = await user.post('/api/gcp/upload', {
      fileName: 'park.csv',
      fileUrl: results[0].url,
      zoneId: zone.id,
    })
    const done = await finished(user, upload.id)
    const points = await user.get(`/api/gcp?zoneId=${zone.id}`)
    return [
      null,
      `${done.processedRows} of ${done.rowCount} rows applied, ${points.length} points in the zone`,
      done.errorMessage,
    ]
  })

  await step('The model is pinned to the observatory, and found from the gate, nearest first', async () => {
    const find = async (): Promise<Pin[]> =>
      (await caller(URL_OF_SERVICE, {}).get('/api/location/pins?lat=51.4788241&lon=-0.0021877&radius=250')).pins
    const isOurs = (pin: Pin) => pin.contentUrl === model.fileUrl
    if (!(await find()).some(isOurs))
      await user.post('/api/location/pins', {
        title: 'Suzanne at the observatory',
        latitude: 51.4778,
        longitude: -0.0014,
        contentType: 'USDZ',
        contentUrl: model.fileUrl,
        zoneId: zone.id,
      })
    const pins = await find()
    if (!pins.some(isOurs)) throw new Error('The pin was not found')
    return [null, ...pins.map((pin) => `${pin.distance.toFixed(3)} m: ${pin.title} (${pin.contentType})`)]
  })

  console.log(`
Open these:
  ${model.fileUrl}   the model (on an iPhone: in AR)
  ${URL_OF_SERVICE}/api/location/pins?lat=51.4788&lon=-0.0022&radius=500   what is near the gate
  ${URL_OF_SERVICE}/api/gcp?zoneId=${zone.id}   the ground control points
  ${URL_OF_SERVICE}/docs   every operation, to try by hand
`)
}

type Zone = { id: number; title: string; userId: string | null }
type Entry = { playerDisplayName: string; playerScore: number }
type Pin = { distance: number; title: string; contentType: string; contentUrl: string }

async function finished(user: ReturnType<typeof caller>, uploadId: string) {
  for (let i = 0; i < 300; i++) {
    const upload = await user.get(`/api/gcp/upload/${uploadId}`)
    if (upload.status === 'COMPLETED') return upload
    if (upload.status === 'FAILED') throw new Error(upload.errorMessage)
    await sleep(100)
  }
  throw new Error('The import took longer than 30 s')
}

try {
  await tour()
} catch (error) {
  const { message, cause } = error as Error
  const away = (cause as { code?: string } | undefined)?.code === 'ECONNREFUSED'
  console.error(
    away ? `No Cairn answers at ${URL_OF_SERVICE}: start it with npm start, or name it in CAIRN_TOUR_URL` : message,
  )
  process.exitCode = 1
}

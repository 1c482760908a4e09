// @module-tag long
import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { away, fixAt } from '../../test/fences/fence-world.ts'
import { cleanUp, newFolder, ROOT, type ServiceProcess, startProcess } from '../../test/process.ts'
import { callerAt } from '../../test/service.ts'

let folder: string
let service: ServiceProcess | undefined
beforeEach(async () => {
  folder = await newFolder()
})
afterEach(() => cleanUp(folder, service))

const PLAYERS = 15
const FENCES = 20
const POINTS = 7
const WELL = { lat: 48.1, lon: 11.5 }
const settings = { CAIRN_LIMIT_KEY_PER_MINUTE: '1000000', CAIRN_LIMIT_ADDRESS_PER_MINUTE: '1000000' }

test('a service killed amid 300 check-ins, each sent twice: no award is lost, and none is given twice', {
  timeout: 120_000,
}, async () => {
  service = await startProcess(folder, { settings })
  const { appKey, fences, players } = await openGame(service.url)
  const sent = players.flatMap((player, i) =>
    // A place of its own: a fix that several players send is held.
    fences.map((fenceId) => ({ player, fenceId, fix: fixAt(away(WELL, i / 2)) })),
  )
  let answered = 0
  const send = async ({ player, fenceId, fix }: (typeof sent)[number]) => {
    const answer = await callerAt(service!.url, player.headers)
      .post('/api/v1/apps/check-ins', { fenceId, fix })
      .catch(() => undefined)
    if (answer?.status === 200 && ++answered === sent.length / 2) service!.child.kill('SIGKILL')
    return answer?.status === 200 ? answer.body.state : undefined
  }
  await Promise.all(sent.flatMap((one) => [send(one), send(one)]))
  await service.ended
  service = await startProcess(folder, { settings })

  const again = await Promise.all(sent.map(send))
  expect(again).toEqual(sent.map(() => 'accepted'))
  const app = callerAt(service.url, { 'x-app-api-key': appKey })
  for (const { id } of players) {
    const { body } = await app.get(`/api/v1/apps/players/${id}/global-ranking`)
    expect(body).toMatchObject({ highestScore: FENCES * POINTS, ranking: 1 })
  }
  const kept = await app.get('/api/v1/apps/check-ins?limit=1')
  expect(kept.headers.get('x-total-count')).toBe(String(PLAYERS * FENCES))
})

/** An app with fences around one place, and its players with their tokens. */
async function openGame(url: string) {
  const token = execFileSync(process.execPath, ['server/cli.ts', 'user', 'token', '--name', 'ada'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, CAIRN_DATA_DIR: folder },
    encoding: 'utf8',
  }).trim()
  const owner = callerAt(url, { authorization: `Bearer ${token}` })
  const { apiKey: appKey } = (await owner.post('/api/v1/apps', { name: 'Kill', description: 'Survives' })).body
  const app = callerAt(url, { 'x-app-api-key': appKey })
  const pin = { title: 'Well', contentType: 'GLB', latitude: WELL.lat, longitude: WELL.lon }
  const { id: pinId } = (await owner.post('/api/location/pins', pin)).body
  const fences: string[] = []
  for (let i = 0; i < FENCES; i++) {
    const fence = { name: `Well ${i}`, pinId, radius: 20, checkIn: { award: { points: POINTS } } }
    fences.push((await app.post('/api/v1/apps/fences', fence)).body.id)
  }
  const players: { id: string; headers: Record<string, string> }[] = []
  for (let i = 0; i < PLAYERS; i++) {
    const { id } = (await app.post('/api/v1/apps/players', { displayName: `Walker ${i}` })).body
    const { playerToken } = (await app.post('/auth/player-token', { playerId: id })).body
    players.push({ id, headers: { 'x-app-api-key': appKey, authorization: `Bearer ${playerToken}` } })
  }
  return { appKey, fences, players }
}

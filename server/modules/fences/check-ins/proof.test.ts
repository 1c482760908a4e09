// @module-tag long
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { CAMERA, type Place, photoOfTags } from '../../../test/content/tags/placed-tag.ts'
import { unzip } from '../../../test/content/zip.ts'
import { away, type FenceWorld, fenceWorldOn, fixAt } from '../../../test/fences/fence-world.ts'
import { formOf, withTexts } from '../../../test/multipart.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'
import type { Vector } from '../../localization/pose/vectors.ts'

/** On a wall that faces south. */
const TAG = { id: 21, size: 0.5, at: [0, 0, 0] as Vector, right: [1, 0, 0] as Vector, top: [0, 0, 1] as Vector }
const WELL = { lat: 46.5, lon: 6.6, h: 400 }

let service: Service
let world: FenceWorld
beforeAll(async () => {
  service = await startService()
  world = await fenceWorldOn(service)
  await placeTag(world.owner, WELL)
})
afterAll(() => service.stop())

async function placeTag(surveyor: Caller, position: Place): Promise<number> {
  const geoPose = { position, angles: { yaw: 0, pitch: 0, roll: 0 } }
  const tag = { aprilTagId: TAG.id, tagSize: TAG.size, tagPose: { heading: 0, tilt: 90, accuracy: 0.1 } }
  const { status, body } = await surveyor.post('/api/gcp', { title: 'Wall', gcpType: 'SINGLE', geoPose, ...tag })
  expect(status).toBe(201)
  return body.gcp.id
}

let photos = 0
/** Each photo is taken from another place. */
const photoAt = async (site: Place) => (await photoOfTags(site, [1.4 + ++photos / 20, -2.4, 0.6], [TAG])).bytes

const proofOf = async (...photo: Parameters<typeof localized>): Promise<string> => {
  const body = await localized(...photo)
  expect(body).toMatchObject({ state: 'found', proof: expect.any(String) })
  return body.proof
}

async function localized(bytes: Uint8Array, { lat, lon } = WELL, { scale = 1, radius = 50, appId = '' } = {}) {
  const [fx, fy, cx, cy] = [CAMERA.fx, CAMERA.fy, CAMERA.cx, CAMERA.cy].map((pixels) => pixels * scale)
  const texts = { camera: JSON.stringify({ fx, fy, cx, cy }), near: JSON.stringify({ lat, lon, radius }), appId }
  const form = withTexts(formOf({ field: 'image', name: 'a.jpg', bytes }), texts)
  const { status, body } = await service.anonymous.post('/api/location/localize', form)
  expect(status).toBe(200)
  return body
}

let fixes = 0
/** Each fix is at a place of its own. */
const newFix = (ago = 0) => fixAt(away(WELL, ++fixes / 10), { ago })

const newProof = async () => proofOf(await photoAt(WELL))
const checkIn = (player: Caller, fence: { id: string }, proof?: string, fix: object = newFix()) =>
  player.post('/api/v1/apps/check-ins', { fenceId: fence.id, fix, ...(proof && { proof }) })
const wellFence = (rule: object = {}) => world.circle(WELL, 20, { checkIn: { award: { points: 1 }, ...rule } })

test('a check-in with a proof is judged by the place of the camera', async () => {
  const [player, fence] = [await world.player(), await wellFence()]
  const inaccurate = fixAt(away(WELL, 150), { accuracy: 90 })
  expect((await checkIn(player, fence, undefined, inaccurate)).body.reason).toBe('accuracy')
  const { body } = await checkIn(player, fence, await newProof(), inaccurate)
  expect(body).toMatchObject({ state: 'accepted', awards: [{ score: 1 }] })
  const shown = (await world.app.get(`/api/v1/apps/check-ins/${body.id}`)).body
  expect(shown.proof).toEqual({ gcpIds: [expect.any(Number)], accuracy: expect.closeTo(0.03, 1) })
})

test('a camera outside the fence is refused, wherever the device says it is', async () => {
  const [player, fence] = [await world.player(), await world.circle(away(WELL, 100), 20, { checkIn: {} })]
  const { body } = await checkIn(player, fence, await newProof(), fixAt(away(WELL, 100)))
  expect(body).toMatchObject({ state: 'refused', reason: 'outside' })
})

test('a fence that requires a proof refuses a check-in without one', async () => {
  const [player, fence] = [await world.player(), await wellFence({ requireProof: true })]
  expect((await checkIn(player, fence)).body).toMatchObject({ state: 'refused', reason: 'proof_required' })
  expect((await checkIn(player, fence, await newProof())).body.state).toBe('accepted')
})

test('a device that says it is far from its camera is held', async () => {
  const [player, fence] = [await world.player(), await wellFence()]
  const { body } = await checkIn(player, fence, await newProof(), fixAt(away(WELL, 60), { accuracy: 5 }))
  expect(body).toMatchObject({ state: 'held', reason: 'fix_differs', awards: [] })
})

test('a photo counts once at a fence, also in another size and format', async () => {
  const [first, second, fence] = [await world.player(), await world.player(), await wellFence()]
  const bytes = await photoAt(WELL)
  const smaller = await sharp(bytes).resize({ width: 1000 }).webp({ quality: 80 }).toBuffer()
  const { width } = await sharp(bytes).metadata()
  expect((await checkIn(first, fence, await proofOf(bytes))).body.state).toBe('accepted')
  const copies = [await proofOf(bytes), await proofOf(smaller, WELL, { scale: 1000 / width })]
  for (const copy of copies)
    expect((await checkIn(second, fence, copy)).body).toMatchObject({ state: 'refused', reason: 'proof_used' })
})

test('a photo of one player does not count for another at another fence', async () => {
  const [first, second] = [await world.player(), await world.player()]
  const [fence, other] = [await wellFence(), await wellFence()]
  const proof = await newProof()
  expect((await checkIn(first, fence, proof)).body.state).toBe('accepted')
  expect((await checkIn(second, other, proof)).body.reason).toBe('proof_used')
  expect((await checkIn(first, other, proof, newFix(1))).body.state).toBe('accepted')
})

test('of players who send one photo at the same time, one is accepted', async () => {
  const [fence, proof] = [await wellFence(), await newProof()]
  const players = await Promise.all(Array.from({ length: 6 }, () => world.player()))
  const answers = await Promise.all(players.map((player, i) => checkIn(player, fence, proof, newFix(i))))
  const states = answers.map(({ body }) => body.reason ?? body.state)
  expect(states.toSorted()).toEqual(['accepted', ...Array(5).fill('proof_used')])
})

test('the same fix with the same photo gets the same answer', async () => {
  const [player, fence, proof] = [await world.player(), await wellFence(), await newProof()]
  const fix = newFix()
  const answers = await Promise.all(Array.from({ length: 4 }, () => checkIn(player, fence, proof, fix)))
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(answers[0]!.body.awards).toMatchObject([{ score: 1 }])
})

test('a photo of tags that a stranger has placed is refused', async () => {
  const site = { lat: 10, lon: 10, h: 5 }
  await placeTag(await buildersOn(service).user(), site)
  const [player, fence] = [await world.player(), await world.circle(site, 20, { checkIn: {} })]
  const proof = await proofOf(await photoAt(site), site)
  const { body } = await checkIn(player, fence, proof, fixAt(site))
  expect(body).toMatchObject({ state: 'refused', reason: 'proof_foreign' })
})

test('with appId, tags that a stranger has placed nearby do not spoil the photo', async () => {
  const site = { lat: 20, lon: 20, h: 5 }
  await placeTag(world.owner, site)
  await placeTag(await buildersOn(service).user(), { ...away(site, 110), h: 5 })
  const photo = await photoAt(site)
  expect(await localized(photo, site, { radius: 200 })).toMatchObject({ state: 'ambiguous', proof: null })
  const proof = await proofOf(photo, site, { radius: 200, appId: world.app.id })
  const [player, fence] = [await world.player(), await world.circle(site, 20, { checkIn: {} })]
  expect((await checkIn(player, fence, proof, fixAt(site))).body.state).toBe('accepted')
})

test('a proof that is changed is refused with 400', async () => {
  const [player, fence, proof] = [await world.player(), await wellFence(), await newProof()]
  const changed = proof.replace(/.(?=.{30}$)/, (letter) => (letter === 'A' ? 'B' : 'A'))
  const forged = [changed, proof.slice(0, -4), proof.split('.')[0]!, 'é.é', '.']
  for (const text of forged) {
    const { status, body } = await checkIn(player, fence, text)
    expect([status, body.error[0].path]).toEqual([400, ['proof']])
  }
})

test('a proof is in the export of the user who plays, and is erased with the user', async () => {
  const user = await buildersOn(service).user()
  const [player, fence] = [await world.player(user.id), await wellFence()]
  const { body } = await checkIn(player, fence, await newProof())
  const exported = await fetch(`${service.url}/api/v1/user/export`, { headers: user.headers })
  const files = unzip(Buffer.from(await exported.arrayBuffer()))
  const proof = { proofGcpIds: [expect.any(Number)], proofTagIds: [TAG.id], proofCorners: expect.any(Array) }
  expect(JSON.parse(files.get('check-ins.json')!.toString())).toMatchObject([{ id: body.id, ...proof }])
  expect((await user.delete('/api/v1/user')).status).toBe(204)
  expect(await sqlOn(service)('select from check_in_proofs where check_in_id = $1', [body.id])).toEqual([])
})

test('what a photo is recognized by is removed after 30 days, with the check-in at once', async () => {
  const sql = sqlOn(service)
  const [player, fence] = [await world.player(), await wellFence()]
  const { body } = await checkIn(player, fence, await newProof())
  const kept = () => sql('select corners, gcp_ids from check_in_proofs where check_in_id = $1', [body.id])
  await sql(`update check_in_proofs set created_at = now() - interval '31 days' where check_in_id = $1`, [body.id])
  await service.app.removeOldPositions()
  expect(await kept()).toMatchObject([{ corners: null, gcp_ids: [expect.anything()] }])
  await world.app.delete(`/api/v1/apps/fences/${fence.id}`)
  expect(await kept()).toEqual([])
})

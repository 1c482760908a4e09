import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { compressed } from '../../usdz/test/content/compressed.ts'
import { convertBy } from './content/conversions.ts'
import { heifFixture } from './content/heif.ts'
import { jpeg } from './content/pictures.ts'
import { sendScan, settledScan } from './content/scans.ts'
import { formOf } from './multipart.ts'
import type { Caller } from './service.ts'

/** The identity of a process on Linux: the four user IDs of its threads, and its mapped files. */
export type ProcessStatus = { pid: number; uids: number[]; groups: string[]; loaded: string }

export function processStatusOf(pid: number): ProcessStatus {
  const threads = readdirSync(`/proc/${pid}/task`).map((id) => readFileSync(`/proc/${pid}/task/${id}/status`, 'utf8'))
  const all = (name: string) => {
    const values = threads.flatMap((status) => new RegExp(`^${name}:(.*)$`, 'm').exec(status)![1]!.trim().split(/\s+/))
    return [...new Set(values)]
  }
  const loaded = readFileSync(`/proc/${pid}/maps`, 'utf8')
  return { pid, uids: all('Uid').map(Number), groups: [...new Set([...all('Gid'), ...all('Groups')])], loaded }
}

/** The processes of this script started by a service. */
export function processesOf(service: number, script: string): ProcessStatus[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, parent] = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))!
        const isOne = Number(parent) === service && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(script)
        return isOne ? [processStatusOf(Number(name))] : []
      } catch {
        // The process has ended.
        return []
      }
    })
}

/** A profile image of a new player of a new app. */
export async function sendProfileImage(user: Caller, as: (headers: Record<string, string>) => Caller): Promise<void> {
  const { body } = await user.post('/api/v1/apps', { name: 'Trail', description: 'A game' })
  const app = as({ 'x-app-api-key': body.apiKey })
  const player = (await app.post('/api/v1/apps/players', { displayName: 'Player' })).body
  const image = formOf({ field: 'image', name: 'me.jpg', bytes: await jpeg(600, 600) })
  const { status } = await app.patch(`/api/v1/apps/players/${player.id}/profile-image`, image)
  expect(status).toBe(200)
}

/** A HEIC as a relocalization photo. */
export async function sendRelocalizationPhoto(user: Caller): Promise<void> {
  const form = formOf({ name: 'place.heic', bytes: heifFixture('p3.heic') })
  expect(await user.post('/api/upload/relocalization', form)).toMatchObject({ status: 200 })
}

/** Models whose decoders are loaded late. */
export async function convertModels(user: Caller): Promise<void> {
  for (const by of ['draco', 'meshopt', 'ktx2'] as const) {
    const { status, body } = await convertBy(user, { name: `${by}.glb`, bytes: await compressed(by) })
    expect({ by, status, body }).toMatchObject({ status: 200, body: { convertedFile: expect.any(Object) } })
  }
}

export async function sendScans(user: Caller): Promise<void> {
  for (const [name, bytes] of [
    ['photo.heic', heifFixture('p3.heic')],
    ['photo.jpg', await jpeg(600, 400)],
    ['model.glb', await compressed('draco')],
  ] as const) {
    const { body } = await sendScan(user, { name, bytes })
    const scan = await settledScan(user, body.id)
    expect({ name, scan }).toMatchObject({ scan: { status: 'COMPLETED', previewImageUrl: expect.any(String) } })
  }
}

/** Imports a survey. @returns its zone, and the position of its only point */
export async function importSurvey(user: Caller, name: string, bytes: Uint8Array | string, query: string) {
  const zoneId = (await user.post('/api/zones', { title: 'Park' })).body.id
  const fileUrl = (await user.post('/api/upload', formOf({ name, bytes }))).body.results[0].url
  const { body } = await user.post(`/api/gcp/upload${query}`, { fileName: name, fileUrl, zoneId })
  await expect.poll(async () => (await user.get(`/api/gcp/upload/${body.id}`)).body.status).toBe('COMPLETED')
  const gcps = (await user.get(`/api/gcp?zoneId=${zoneId}`)).body
  const [{ pin }] = gcps.gcps ?? gcps
  return { zoneId, place: [pin.latitude, pin.longitude] as const }
}

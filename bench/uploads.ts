import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './child.ts'
import type { Comparison } from './comparison.ts'
import { sendFile } from './form-sender.ts'
import { withOwnDatabase } from './own-database.ts'
import { growthDuring } from './process-memory.ts'

const MB = 1_000_000
const ONE = 100 * MB
const LARGE = 200 * MB
const AT_ONCE = 8
const ROUNDS = 5

type Server = { url: string; pid: number; empty: () => void }

/** POST /api/upload beside bare `node:http` that pipes the same body into a file: how fast one is taken, and what eight at once cost in memory.
 * @param url a PostgreSQL that may create databases */
export function benchUploads(url: string): Promise<Comparison[]> {
  return withOwnDatabase(url, async (databaseUrl) => {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-uploads-'))
    const rawFolder = mkdtempSync(join(tmpdir(), 'cairn-bench-raw-'))
    const service = await startChild<{ url: string }>('service-process.ts', [databaseUrl, folder])
    const raw = await startChild<{ url: string }>('raw-pipe-process.ts', [rawFolder])
    try {
      const ours = { url: `${service.url}/api/upload`, pid: service.pid, empty: () => emptyObjects(folder) }
      const pipe = { url: `${raw.url}/`, pid: raw.pid, empty: () => emptyFolder(rawFolder) }
      return await measure({ ours, pipe, hashed: { ...pipe, url: `${raw.url}/hashed` } })
    } finally {
      await service.stop()
      await raw.stop()
      for (const each of [folder, rawFolder]) rmSync(each, { recursive: true, force: true })
    }
  })
}

async function measure({ ours, pipe, hashed }: Record<'ours' | 'pipe' | 'hashed', Server>): Promise<Comparison[]> {
  // First of all: what a process grew by once, it need not grow by again.
  const grown = { ours: await growth(ours), pipe: await growth(pipe) }
  for (const one of [ours, pipe, hashed]) await seconds(one)
  const times = { ours: [] as number[], pipe: [] as number[], hashed: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    times.ours.push(await seconds(ours))
    times.pipe.push(await seconds(pipe))
    times.hashed.push(await seconds(hashed))
  }
  const [own, bare, hashing] = [median(times.ours), median(times.pipe), median(times.hashed)]
  const rate = (time: number) => ({ seconds: time, megabytesPerSecond: ONE / MB / time })
  return [
    {
      name: 'POST /api/upload of 100 MB / a raw pipe to a file, speed',
      ours: rate(own),
      peer: rate(bare),
      ratio: bare / own,
      target: '≥ 0.5',
    },
    {
      name: 'POST /api/upload of 100 MB / a raw pipe that takes the SHA-256, speed',
      ours: rate(own),
      peer: rate(hashing),
      ratio: hashing / own,
      target: 'for comparison',
    },
    {
      name: `${AT_ONCE} uploads of 200 MB at once, growth of a fresh process / that of a raw pipe`,
      ours: { megabytes: grown.ours },
      peer: { megabytes: grown.pipe },
      ratio: grown.ours / grown.pipe,
      target: 'at most 50 MB',
    },
  ]
}

async function seconds(server: Server): Promise<number> {
  const time = await sendFile(server.url, ONE)
  server.empty()
  return time
}

async function growth(server: Server): Promise<number> {
  const all = () => Promise.all(Array.from({ length: AT_ONCE }, () => sendFile(server.url, LARGE)))
  const megabytes = await growthDuring(server.pid, all)
  server.empty()
  return megabytes
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!

function emptyFolder(folder: string) {
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
}

function emptyObjects(folder: string) {
  for (const name of readdirSync(join(folder, 'objects')).filter((one) => one.length === 2))
    emptyFolder(join(folder, 'objects', name))
}

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withTemporaryDatabase } from '../databases/temporary-database.ts'
import { sendFile } from '../load/form-sender.ts'
import { growthDuring } from '../measure/process-memory.ts'
import { startChild } from '../processes/child.ts'
import type { Comparison } from '../record/comparison.ts'

const MB = 1_000_000
const ONE = 100 * MB
/** Measured for memory: many at once, and one larger than memory should hold. */
const LARGE = { many: { count: 8, bytes: 200 * MB }, one: { count: 1, bytes: 2000 * MB } }
const ROUNDS = 5

type Server = { url: string; pid: number; empty: () => void }

type Servers = Record<'ours' | 'pipe' | 'hashed', Server>

/** POST /api/upload compared with bare `node:http` that pipes the same body into a file: the speed of one, and the memory of eight at once or a very large one.
 * @param url a PostgreSQL that may create databases */
export async function benchUploads(url: string): Promise<Comparison[]> {
  const found: Comparison[] = []
  // In new processes: memory that has grown once does not grow again.
  for (const size of [LARGE.many, LARGE.one]) found.push(await withServers(url, (servers) => memory(servers, size)))
  return [...(await withServers(url, speed)), ...found]
}

function withServers<T>(url: string, use: (servers: Servers) => Promise<T>): Promise<T> {
  return withTemporaryDatabase(url, async (databaseUrl) => {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-uploads-'))
    const rawFolder = mkdtempSync(join(tmpdir(), 'cairn-bench-raw-'))
    const service = await startChild<{ url: string }>('service-process.ts', [databaseUrl, folder])
    const raw = await startChild<{ url: string }>('raw-pipe-process.ts', [rawFolder])
    try {
      const ours = { url: `${service.url}/api/upload`, pid: service.pid, empty: () => emptyObjects(folder) }
      const pipe = { url: `${raw.url}/`, pid: raw.pid, empty: () => emptyFolder(rawFolder) }
      return await use({ ours, pipe, hashed: { ...pipe, url: `${raw.url}/hashed` } })
    } finally {
      await service.stop()
      await raw.stop()
      for (const each of [folder, rawFolder]) rmSync(each, { recursive: true, force: true })
    }
  })
}

async function speed({ ours, pipe, hashed }: Servers): Promise<Comparison[]> {
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
  ]
}

async function memory(
  { ours, pipe }: Servers,
  { count, bytes }: { count: number; bytes: number },
): Promise<Comparison> {
  const growth = async ({ url, pid, empty }: Server) => {
    const all = () => Promise.all(Array.from({ length: count }, () => sendFile(url, bytes)))
    const megabytes = await growthDuring(pid, all)
    empty()
    return { megabytes }
  }
  const [own, bare] = [await growth(ours), await growth(pipe)]
  const what = count === 1 ? `an upload of ${bytes / MB} MB` : `${count} uploads of ${bytes / MB} MB at once`
  return {
    name: `${what}, growth of a fresh process / that of a raw pipe`,
    ours: own,
    peer: bare,
    ratio: own.megabytes / bare.megabytes,
    target: 'at most 50 MB',
  }
}

async function seconds(server: Server): Promise<number> {
  const time = await sendFile(server.url, ONE)
  server.empty()
  return time
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!

function emptyFolder(folder: string) {
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
}

function emptyObjects(folder: string) {
  for (const name of readdirSync(join(folder, 'objects')).filter((one) => one.length === 2))
    emptyFolder(join(folder, 'objects', name))
}

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSurveyReaderPool } from '../../server/modules/surveys/process/survey-reader.ts'
import { cpuSecondsOf } from '../measure/process-cpu.ts'
import { peakDuring } from '../measure/process-memory.ts'
import type { Comparison } from '../record/comparison.ts'

const ROWS = 100_000
const ROUNDS = 3
const OGR2OGR = '/usr/bin/ogr2ogr'
/** Easting and northing of the first point in RD New (EPSG:28992). */
const [EAST, NORTH] = [155_000, 463_000]

type Read = { seconds: number; cpuSeconds: number; megabytes: number; points: number }

/**
 * Reads survey files in a sandboxed process like an import, without the database: the latency of a small file, compared with a
 * Node process that does nothing; and 100,000 points in each format compared with CSV. Medians of three, each in a new
 * process. GeoPackage and XLSX files are created with GDAL's ogr2ogr, and skipped if it is missing.
 */
export async function benchSurveys(): Promise<Comparison[]> {
  const bare = median(Array.from({ length: ROUNDS }, bareProcess), (seconds) => seconds)
  const small: Comparison[] = []
  for (const [name, file] of smallFiles) {
    const ours = await reads(Buffer.from(file))
    small.push({
      name: `a file of one point in ${name}, with the start of the process / Node that does nothing`,
      ours,
      peer: { seconds: bare },
      ratio: ours.seconds / bare,
      target: 'none: what a first file waits for',
    })
  }
  const csv = await reads(points('title,lat,lon,h', (i) => [52 + (i % 1000) * 1e-5, 5 + Math.floor(i / 1000) * 1e-5]))
  const large: Comparison[] = []
  for (const [name, file] of largeFiles()) {
    const ours = await reads(file)
    large.push({
      name: `${ROWS} points: ${name} / CSV of latitude and longitude`,
      ours: { ...ours, rowsPerSecond: ours.points / ours.seconds },
      peer: { ...csv, rowsPerSecond: csv.points / csv.seconds },
      ratio: csv.seconds / ours.seconds,
      target: 'none: the speed beside CSV',
    })
  }
  return [...small, ...large]
}

const smallFiles: [name: string, file: string][] = [
  ['latitude and longitude', 'title,lat,lon\nA,52.15517,5.38720\n'],
  ['RD New', `# EPSG:28992\ntitle,x,y\nA,${EAST},${NORTH}\n`],
]

function points(header: string, at: (i: number) => [number, number]): Buffer {
  const lines = Array.from({ length: ROWS }, (_, i) => {
    const [a, b] = at(i)
    return `P${i},${a.toFixed(7)},${b.toFixed(7)},${(i % 977) / 10}`
  })
  return Buffer.from(`${header}\n${lines.join('\n')}\n`)
}

function* largeFiles(): Generator<[name: string, file: Buffer]> {
  const grid = points('title,easting,northing,h', (i) => [EAST + (i % 1000), NORTH + Math.floor(i / 1000)])
  yield ['CSV in RD New', Buffer.concat([Buffer.from('# EPSG:28992\n'), grid])]
  if (!existsSync(OGR2OGR)) {
    console.log('  skipped GeoPackage and XLSX: ogr2ogr is missing (Debian: gdal-bin)')
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-surveys-'))
  try {
    writeFileSync(join(folder, 'points.csv'), grid)
    const made = (name: string, ...options: string[]) => {
      execFileSync(OGR2OGR, [...options, join(folder, name), join(folder, 'points.csv')], { stdio: 'inherit' })
      return readFileSync(join(folder, name))
    }
    const geometry = ['-oo', 'X_POSSIBLE_NAMES=easting', '-oo', 'Y_POSSIBLE_NAMES=northing', '-a_srs', 'EPSG:28992']
    yield ['GeoPackage in RD New', made('points.gpkg', '-f', 'GPKG', ...geometry)]
    yield ['XLSX in RD New', made('points.xlsx', '-f', 'XLSX')]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function reads(file: Uint8Array): Promise<Read> {
  const all: Read[] = []
  for (let round = 0; round < ROUNDS; round++) all.push(await readOnce(file))
  return median(all, ({ seconds }) => seconds)
}

/** Reads a file to its end in a new process. */
async function readOnce(file: Uint8Array): Promise<Read> {
  const readers = createSurveyReaderPool()
  // An idle worker process does not keep this one alive.
  const alive = setInterval(() => {}, 1000)
  const [began, before] = [performance.now(), await cpuSecondsOf(process.pid)]
  let [count, seconds, cpuSeconds] = [0, 0, 0]
  try {
    const peak = await peakDuring(process.pid, async () => {
      const survey = { bytes: inPieces(file), options: { crs: 'EPSG:28992' }, boundary: null, nearby: null }
      for await (const step of readers.steps(survey, 0, AbortSignal.timeout(600_000))) {
        if ('batch' in step) count += step.batch.points
      }
      seconds = (performance.now() - began) / 1000
      cpuSeconds = (await cpuSecondsOf(process.pid)) - before
    })
    if (count === 0) throw new Error('no point was read')
    return { seconds, cpuSeconds, megabytes: Math.round(peak.started), points: count }
  } finally {
    await readers.close()
    clearInterval(alive)
  }
}

async function* inPieces(file: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.length; at += 65_536) yield file.subarray(at, at + 65_536)
}

function bareProcess(): number {
  const began = performance.now()
  spawnSync(process.execPath, ['-e', ''])
  return (performance.now() - began) / 1000
}

const median = <T>(all: T[], figure: (one: T) => number): T =>
  all.toSorted((a, b) => figure(a) - figure(b))[all.length >> 1]!

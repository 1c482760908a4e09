import { openGdal } from '../server/modules/gdal/gdal.ts'
import { createSurveyReaders } from '../server/modules/surveys/survey-reader.ts'
import type { Comparison } from './comparison.ts'
import { peakDuring } from './process-memory.ts'

const ROWS = 100_000
const PIECE = 64 * 1024
const LIMIT_MEGABYTES = 400

type Read = { rows: number; seconds: number; rowsPerSecond: number; megabytes: number }

/**
 * Reading one survey of 100,000 points from each kind of file, in the process that an import reads it in, beside reading
 * it from CSV; and the memory of that process. Nothing is written into a database.
 */
export async function benchFormats(rows = ROWS): Promise<Comparison[]> {
  const files = await filesOf(rows)
  const reads: Record<string, Read> = {}
  for (const [name, file] of Object.entries(files)) reads[name] = await readOf(file)
  const { csv, ...others } = reads
  return Object.entries(others).flatMap(([name, ours]) => [
    {
      name: `${name} of ${rows} points / CSV`,
      ours,
      peer: csv!,
      ratio: ours.rowsPerSecond / csv!.rowsPerSecond,
      target: 'told',
    },
    {
      name: `${name} of ${rows} points: memory of its process / ${LIMIT_MEGABYTES} MB`,
      ours: { megabytes: ours.megabytes },
      peer: { megabytes: LIMIT_MEGABYTES },
      ratio: ours.megabytes / LIMIT_MEGABYTES,
      target: 'at most 1',
    },
  ])
}

async function filesOf(rows: number): Promise<Record<string, Uint8Array>> {
  const lines = Array.from({ length: rows }, (_, i) => `P${i},${52 + i / 1e6},${13 + i / 3e6},${i / 9},row ${i}\n`)
  const csv = Buffer.from(`title,lat,lon,hgt,description\n${lines.join('')}`)
  const gdal = await openGdal()
  gdal.write('/in/a.csv', csv)
  const columns = ['X_POSSIBLE_NAMES=lon', 'Y_POSSIBLE_NAMES=lat', 'Z_POSSIBLE_NAMES=hgt']
  const write = (name: string, driver: string, options: string[], ...args: string[]): Uint8Array => {
    gdal.translate('/in/a.csv', `/out/${name}`, ['-f', driver, ...args], { drivers: ['CSV'], options })
    return gdal.take(`/out/${name}`)
  }
  return {
    csv,
    GeoPackage: write('a.gpkg', 'GPKG', columns, '-a_srs', 'EPSG:4326'),
    XLSX: write('a.xlsx', 'XLSX', ['AUTODETECT_TYPE=YES']),
    GeoJSON: write('a.geojson', 'GeoJSON', columns, '-a_srs', 'EPSG:4326', '-lco', 'COORDINATE_PRECISION=12'),
    FlatGeobuf: write('a.fgb', 'FlatGeobuf', columns, '-a_srs', 'EPSG:4326'),
  }
}

/** Reads a file as an import does, in a process that has read nothing before. */
async function readOf(file: Uint8Array): Promise<Read> {
  const readers = createSurveyReaders()
  async function* bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let at = 0; at < file.length; at += PIECE) yield file.subarray(at, at + PIECE)
  }
  const begun = performance.now()
  let [rows, seconds] = [0, 0]
  const { started } = await peakDuring(process.pid, async () => {
    const steps = readers.steps({ bytes: bytes(), options: {}, boundary: null }, 0, new AbortController().signal)
    for await (const step of steps) if ('batch' in step) rows += step.batch.points
    seconds = (performance.now() - begun) / 1000
    await readers.close()
  })
  return { rows, seconds, rowsPerSecond: Math.round(rows / seconds), megabytes: Math.round(started) }
}

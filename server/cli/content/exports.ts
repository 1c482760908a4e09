import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ExportFormat, exportFormats } from '../../modules/exports/schema.ts'
import { isId } from '../../platform/ids.ts'
import { counted, type Group, JSON_OUTPUT, PROGRESS, printResult } from '../command.ts'
import { assertNoArguments, readOptions, UsageError, withApp } from '../context.ts'
import { createProgress, readable } from '../progress.ts'

/** Writes the ground control points of a zone to a file or to standard output. */
async function run(args: string[]) {
  const { values, positionals } = readOptions(args, {
    zone: { type: 'string' },
    format: { type: 'string' },
    crs: { type: 'string' },
    'max-error': { type: 'string' },
    out: { type: 'string' },
    ...PROGRESS,
    ...JSON_OUTPUT,
  })
  assertNoArguments(positionals)
  const zoneId = Number(values.zone)
  if (!values.zone || !Number.isSafeInteger(zoneId) || zoneId < 1) throw new UsageError('Name the zone: --zone ID')
  const format = exportFormats.find((one) => one === (values.format ?? 'csv'))
  if (!format) throw new UsageError(`--format must be one of ${exportFormats.join(', ')}`)
  const maxError = values['max-error'] === undefined ? undefined : Number(values['max-error'])
  if (maxError !== undefined && !(maxError > 0)) throw new UsageError('--max-error must be a number of metres')
  if (values.json && !values.out) throw new UsageError('--json requires --out: standard output has the points')
  const progress = createProgress(values)
  await withApp(async (app) => {
    const opened = await app.operator.exportZone(zoneId, { format, crs: values.crs, maxError })
    if (!opened) throw new Error(`There is no zone ${zoneId}`)
    const { stream, crs, operations, leftOut } = opened
    for (const { name, accuracy, points } of operations)
      console.error(
        `${counted(points, 'point')} to ${crs} by ${name}, ${accuracy === null ? 'accuracy not stated' : `accuracy ${accuracy} m`}`,
      )
    if (leftOut) console.error(`${counted(leftOut, 'point')} without coordinates left out`)
    if (!values.out) return printed(stream)
    const bytes = await written(values.out, stream, (soFar) => progress.show(`${readable(soFar)} written`))
    progress.end()
    const record = { zoneId, format, crs, transformations: operations, out: values.out, bytes }
    printResult(values, record, `${values.out}: ${readable(bytes)}`)
  })
}

/** Writes all data of an app, one JSON object a line. */
async function exportApp(args: string[]) {
  const { values, positionals } = readOptions(args, { out: { type: 'string' }, ...PROGRESS, ...JSON_OUTPUT })
  const [id, ...more] = positionals
  if (!id || more.length > 0) throw new UsageError('Name the app by its id')
  if (values.json && !values.out) throw new UsageError('--json requires --out: standard output has the records')
  const progress = createProgress(values)
  await withApp(async (app) => {
    const found = isId(id) ? await app.operator.apps.export(id) : undefined
    if (!found) throw new Error(`There is no app "${id}": cairn app list shows the ids`)
    if (!values.out) return printed(found.lines)
    const bytes = await written(values.out, found.lines, (soFar) => progress.show(`${readable(soFar)} written`))
    progress.end()
    const records = Object.values(found.counts).reduce((sum, count) => sum + count, 0)
    const record = { appId: id, out: values.out, bytes, records: found.counts }
    printResult(values, record, `${values.out}: ${counted(records, 'record')}, ${readable(bytes)}`)
  })
}

/** Writes to standard output until its reader closes it: `cairn export … | head`. */
async function printed(text: AsyncIterable<string | Uint8Array>): Promise<void> {
  try {
    await pipeline(Readable.from(text), process.stdout, { end: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

/** Writes a temporary file and renames it when complete. @returns its size in bytes */
async function written(
  out: string,
  text: AsyncIterable<string | Uint8Array>,
  show: (bytes: number) => void,
): Promise<number> {
  const partial = `${out}.partial`
  let bytes = 0
  const counting = async function* () {
    for await (const piece of text) {
      bytes += Buffer.byteLength(piece)
      show(bytes)
      yield piece
    }
  }
  try {
    await pipeline(Readable.from(counting()), createWriteStream(partial))
    await rename(partial, out)
    return bytes
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

const FORMATS: Record<ExportFormat, string> = {
  csv: 'CSV that an import reads back exactly',
  xlsx: 'Excel workbook',
  geojson: 'GeoJSON',
  gpkg: 'GeoPackage',
  shp: 'Shapefile, in a ZIP',
  kml: 'KML 2.2, always WGS84',
  gpx: 'GPX 1.1 waypoints, always WGS84',
  dxf: 'drawing (DXF of AutoCAD R12); requires --crs',
  pnezd: 'point, northing, easting, z, description, for survey controllers; requires --crs',
  gcp_list: 'gcp_list.txt of OpenDroneMap',
  opensfm: 'ground_control_points.json of OpenSfM',
}

export const EXPORTING: Group = {
  title: 'Data export',
  commands: [
    {
      words: 'export',
      usage: '--zone ID [--format FORMAT] [--crs SYSTEM] [--max-error METRES] [--out FILE] [--progress] [--json]',
      summary: 'write the ground control points of a zone',
      about: 'Writes to standard output, or to a file, which gets its name only when it is complete.',
      options: [
        ['--zone ID', 'the zone'],
        ...Object.entries(FORMATS).map(([name, text]): [string, string] => [`--format ${name}`, text]),
        ['--crs SYSTEM', 'the reference system of the coordinates: EPSG:25833, a name, proj text; WGS84 unless given'],
        ['--max-error METRES', 'the largest error that the transformation from WGS84 may have'],
        ['--out FILE', 'the file to write'],
      ],
      examples: [
        ['cairn export --zone 12 --format geojson > zone.geojson', 'for a GIS'],
        ['cairn export --zone 12 --format dxf --crs EPSG:25833 --out zone.dxf', 'for CAD'],
      ],
      run,
    },
    {
      words: 'export app',
      usage: 'ID [--out FILE] [--progress] [--json]',
      summary: 'write all data of an app as JSON lines',
      about:
        'The app with its types of games, players, sessions, scores, history, seasons, reviews, storage, configuration and\nwebhooks, without keys and secrets, from one snapshot: a JSON object a line with its "kind". Files are given by\ntheir URLs.',
      options: [
        ['ID', 'the app’s id: cairn app list'],
        ['--out FILE', 'the file to write, which gets its name only when it is complete'],
      ],
      examples: [
        ['cairn export app 0198c0de-… --out trail.jsonl', 'to move an app, or to analyse it elsewhere'],
        ['cairn export app 0198c0de-… | grep \'"kind":"player"\' | wc -l', 'counts the players'],
      ],
      run: exportApp,
    },
  ],
}

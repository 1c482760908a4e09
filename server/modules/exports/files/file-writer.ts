import { ZipFile } from 'yazl'
import { type Gdal, GdalError, openGdal } from '../../gdal/gdal.ts'
import type { FileForm } from '../process/export-tasks.ts'
import { FEATURES, LAYER } from './layer.ts'
import { NOT_IN_DBF, README, TITLES } from './shapefile.ts'

/** Size of a chunk in bytes. */
const PIECE = 1024 * 1024
const OPENING = { drivers: ['OGR_VRT', 'GeoJSONSeq', 'GeoJSON'] }
const NO_FEATURES = Buffer.from('{"type":"FeatureCollection","features":[]}')

/** Writes files with GDAL, one at a time, in a process of `createExportWriters`. */
export function fileWriter() {
  let written: Uint8Array = new Uint8Array()
  let at = 0

  return {
    /** Appends to an intermediate file. @returns an error message for the caller, if any */
    append: (file: string, bytes: Uint8Array): Promise<string | undefined> =>
      attempted(async (gdal) => gdal.append(`/in/${file}`, bytes)),

    /** Writes the file from the appended data. @returns an error message for the caller, if any */
    write: (form: FileForm, name: string): Promise<string | undefined> =>
      attempted(async (gdal) => {
        if (!gdal.list('/in').includes(FEATURES)) gdal.append(`/in/${FEATURES}`, NO_FEATURES)
        if (form === 'shp' && gdal.list('/in').includes(TITLES))
          throw new GdalError(titlesTooLong(gdal.take(`/in/${TITLES}`)))
        written = form === 'gpkg' ? geopackage(gdal, name) : await shapefile(gdal)
        at = 0
        clear(gdal)
      }),

    /** The next chunk of the file; empty at its end. */
    take(): Uint8Array {
      const piece = written.subarray(at, at + PIECE)
      at += piece.length
      if (piece.length === 0) written = new Uint8Array()
      return piece
    },
  }
}

/** Runs GDAL. @returns GDAL's message if it fails; then no part of the file is left */
async function attempted(work: (gdal: Gdal) => Promise<void>): Promise<string | undefined> {
  const gdal = await openGdal()
  try {
    await work(gdal)
    return undefined
  } catch (error) {
    if (!(error instanceof GdalError)) throw error
    clear(gdal)
    return `The file cannot be written: ${error.message.slice(0, 400)}`
  }
}

function clear(gdal: Gdal): void {
  gdal.remove('/in')
  gdal.remove('/out')
}

function geopackage(gdal: Gdal, name: string): Uint8Array {
  const options = ['-f', 'GPKG', '-nln', 'points', '-lco', `IDENTIFIER=${name}`, '-lco', 'FID=fid', '-unsetFid']
  gdal.translate(`/in/${LAYER}`, '/out/points.gpkg', options, OPENING)
  return gdal.take('/out/points.gpkg')
}

async function shapefile(gdal: Gdal): Promise<Uint8Array> {
  const options = ['-f', 'ESRI Shapefile', '-unsetFid', '-lco', 'ENCODING=UTF-8', '-lco', 'SPATIAL_INDEX=NO']
  gdal.translate(`/in/${LAYER}`, '/out/points.shp', options, OPENING)
  const zip = new ZipFile()
  for (const file of gdal.list('/out')) zip.addBuffer(Buffer.from(gdal.take(`/out/${file}`)), file)
  for (const file of [README, NOT_IN_DBF])
    if (gdal.list('/in').includes(file)) zip.addBuffer(Buffer.from(gdal.take(`/in/${file}`)), file)
  zip.end()
  const pieces: Uint8Array[] = []
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

function titlesTooLong(titles: Uint8Array): string {
  const list = Buffer.from(titles).toString('utf8').split('\n').filter(Boolean)
  const count = list.length === 1 ? 'The title of one point is' : `The titles of ${list.length} points are`
  return `${count} longer than the 254 bytes of a Shapefile's text, or begin or end with a space, such as "${list[0]}": export as gpkg`
}

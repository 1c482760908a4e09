import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const TIME_LIMIT_MS = 60_000

/** The output of GDAL's ogrinfo for a file or a service. */
export const ogrinfo = async (...args: string[]): Promise<string> =>
  (await run('ogrinfo', ['-ro', ...args], { timeout: TIME_LIMIT_MS })).stdout

/** Converts a file with GDAL's ogr2ogr. */
export const ogr2ogr = async (...args: string[]): Promise<void> => {
  await run('ogr2ogr', args, { timeout: TIME_LIMIT_MS })
}

/** The number of features that ogrinfo reports for a layer. */
export const countSaid = (text: string) => Number(/Feature Count: (\d+)/.exec(text)?.[1])
/** The number of features that it lists. */
export const listed = (text: string) => [...text.matchAll(/^OGRFeature\(/gm)].length

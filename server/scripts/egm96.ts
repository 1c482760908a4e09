import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { geoidTiff } from './geoid-tiff.ts'

/** egm96_15.gtx as PROJ's datum grids have it (https://download.osgeo.org/proj/vdatum/egm96_15/, in Debian's package proj-data). */
const SHA256 = 'c02a6eb70a7a78efebe5adf3ade626eb75390e170bb8b3f36136a2c28f5326a0'

/**
 * Writes the geoid that comes with the service: EGM96 by the NGA, in steps of 15', in the public domain. Run
 * `node server/scripts/egm96.ts /usr/share/proj/egm96_15.gtx`. The source is NOAA's format GTX: 32-bit numbers, big
 * end first, row by row from the south.
 */
function main(source: string | undefined) {
  if (source === undefined) throw new Error('name the file egm96_15.gtx')
  const gtx = readFileSync(source)
  const sum = createHash('sha256').update(gtx).digest('hex')
  if (sum !== SHA256) throw new Error(`${source} is not the egm96_15.gtx that is meant: its SHA-256 is ${sum}`)
  const [south, west, step] = [gtx.readDoubleBE(0), gtx.readDoubleBE(8), gtx.readDoubleBE(16)]
  const [rows, columns] = [gtx.readInt32BE(32), gtx.readInt32BE(36)]
  const metres = Float64Array.from({ length: rows * columns }, (_, index) => {
    const row = rows - 1 - Math.floor(index / columns)
    return gtx.readFloatBE(40 + 4 * (row * columns + (index % columns)))
  })
  const bytes = geoidTiff({ west, north: south + (rows - 1) * step, step, rows, columns, metres })
  writeFileSync(new URL('../modules/reference-systems/heights/grids/us_nga_egm96_15.tif', import.meta.url), bytes)
  process.stdout.write(`${rows} rows of ${columns}, ${bytes.length} bytes\n`)
}

main(process.argv[2])

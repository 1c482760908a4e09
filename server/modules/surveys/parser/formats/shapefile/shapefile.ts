import { isUtf8 } from 'node:buffer'
import type { FormatOptions, SurveyTable } from '../../table.ts'
import { type LayeredFormat, layerTable } from '../gdal/layer-table.ts'
import type { Entry } from '../zip/archive.ts'

const format: LayeredFormat = {
  name: 'shapefile',
  title: 'a Shapefile',
  opening: { drivers: ['ESRI Shapefile'] },
  expects: (files) => [...files.keys()].flatMap((name) => /^(.*)\.shp$/.exec(name)?.[1] ?? []),
}

/** The relevant parts of a Shapefile: geometry, index, fields, their encoding, reference system. */
const PART = /^(.*?)([^/]+)\.(shp|shx|dbf|cpg|prj)$/i

/**
 * Shapefiles (ESRI white paper of July 1998) in a ZIP, in any folder; each is a layer. `.prj` names the reference system,
 * `.cpg` or the header of `.dbf` the encoding of the fields. Fields that are not UTF-8 and have no named encoding are read as
 * windows-1252, with a notice.
 */
export async function readShapefiles(entries: readonly Entry[], options: FormatOptions): Promise<SurveyTable> {
  const parts = entries.flatMap((entry) => {
    const [, folder, base, extension] = PART.exec(entry.name) ?? []
    return base === undefined ? [] : [{ entry, folder: folder!, base, extension: extension!.toLowerCase() }]
  })
  const shapes = parts.filter(({ extension }) => extension === 'shp')
  const files = new Map<string, Uint8Array>()
  for (const { folder, base } of shapes) {
    const isUnique = shapes.filter((other) => other.base === base).length === 1
    const name = isUnique ? base : `${folder}${base}`.replaceAll('/', '_')
    for (const { entry, extension, ...part } of parts)
      if (part.folder === folder && part.base.toLowerCase() === base.toLowerCase())
        files.set(`${name}.${extension}`, entry.unpack())
  }
  const unnamed = [...files].filter(([name, bytes]) => isUnnamed(name, bytes, files)).map(([name]) => name)
  for (const name of unnamed) files.set(name.replace(/dbf$/, 'cpg'), Buffer.from('1252'))
  const table = await layerTable(format, files, options)
  const layer = table.source.layer ?? shapes[0]?.base
  if (!unnamed.includes(`${layer}.dbf`)) return table
  return { ...table, notices: () => [...(table.notices?.() ?? []), ASSUMED] }
}

const ASSUMED = {
  code: 'ENCODING_FALLBACK',
  message: 'the fields are not UTF-8 and were read as windows-1252: check accented letters, or add a .cpg file',
} as const

/** Byte of a DBF header with the language driver; 0 for none. */
const LANGUAGE = 29
const HEADER_LENGTH = 8

/** Whether a file is a DBF with text that is not UTF-8, and nothing says in which encoding. */
function isUnnamed(name: string, bytes: Uint8Array, files: ReadonlyMap<string, Uint8Array>): boolean {
  if (!name.endsWith('.dbf') || files.has(name.replace(/dbf$/, 'cpg')) || bytes[LANGUAGE] !== 0) return false
  const records = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return !isUtf8(records.subarray(records.length < 32 ? 0 : records.readUInt16LE(HEADER_LENGTH)))
}

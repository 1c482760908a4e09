import type { FormatOptions, SurveyTable } from '../../table.ts'
import type { Attributes } from '../features/feature-table.ts'
import { type LayeredFormat, layerTable } from '../gdal/layer-table.ts'
import { codePageDecoder } from '../text/dos-pages.ts'
import { encodingNotice } from '../text/open-text.ts'
import type { Entry } from '../zip/archive.ts'
import { type FieldEncoding, fieldEncoding } from './field-encoding.ts'

const format: LayeredFormat = {
  name: 'shapefile',
  title: 'a Shapefile',
  opening: { drivers: ['ESRI Shapefile'] },
  expects: (files) => [...files.keys()].flatMap((name) => /^(.*)\.shp$/.exec(name)?.[1] ?? []),
}

/** The relevant parts of a Shapefile: geometry, index, fields, their encoding, reference system. */
const PART = /^(.*?)([^/]+)\.(shp|shx|dbf|cpg|prj)$/i

/**
 * Shapefiles (ESRI white paper of July 1998) in a ZIP, in any folder; each is a layer. `.prj` names the reference
 * system, `.cpg` or the header of `.dbf` the encoding of the fields. Fields without a supported name of their encoding
 * are UTF-8, otherwise windows-1252, with a notice.
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
  const encodings = new Map<string, FieldEncoding>()
  for (const [name, bytes] of [...files]) {
    const layer = /^(.*)\.dbf$/.exec(name)?.[1]
    if (layer === undefined) continue
    encodings.set(layer, fieldEncoding(bytes, files.get(`${layer}.cpg`)))
    // GDAL knows few encodings: it passes the bytes on, one character each.
    files.set(`${layer}.cpg`, Buffer.from('ISO-8859-1'))
  }
  const refine: LayeredFormat['refine'] = (attributes, _, { name }) => decoded(attributes, encodings.get(name))
  const table = await layerTable({ ...format, refine }, files, options)
  const used = encodings.get(table.source.layer ?? [...encodings.keys()][0] ?? '')
  if (!used?.isAssumed) return table
  const { unsupported } = used
  const assumed =
    unsupported === undefined
      ? encodingNotice('the text of the fields', used.label, 'add a .cpg file that names the encoding')
      : encodingNotice(
          `the text of the fields, in the unsupported code page ${unsupported},`,
          used.label,
          'save it as UTF-8',
        )
  return { ...table, notices: () => [...(table.notices?.() ?? []), assumed] }
}

function decoded({ names, valuesOf }: Attributes, encoding: FieldEncoding | undefined): Attributes {
  const decode = codePageDecoder(encoding?.label ?? 'utf-8')
  const text = (value: string) => (/[^\0-\x7f]/.test(value) ? decode(Buffer.from(value, 'latin1')) : value)
  return {
    names: names.map(text),
    valuesOf: (feature) => valuesOf(feature).map((value) => value && text(value)),
  }
}

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
 * `.cpg` the encoding of the fields.
 */
export function readShapefiles(entries: readonly Entry[], options: FormatOptions): Promise<SurveyTable> {
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
  return layerTable(format, files, options)
}

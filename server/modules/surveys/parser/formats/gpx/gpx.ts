import type { SurveyFormat } from '../../table.ts'
import { saysExported } from '../features/attribute-aliases.ts'
import type { Attributes } from '../features/feature-table.ts'
import { type LayeredFormat, layerTable } from '../gdal/layer-table.ts'
import { wholeFile } from '../read-whole.ts'

/** Marked points are what a file of points is for; a route or a track is read where there is nothing else, or by name. */
const LAYERS = ['waypoints', 'route_points', 'track_points']
/** GDAL's own numbers of tracks and their parts. */
const NUMBERS = /^(?:track|route)_(?:fid|seg_id|seg_point_id|point_id)$/

const format: LayeredFormat = {
  name: 'gpx',
  title: 'GPX',
  opening: { drivers: ['GPX'] },
  choose: (layers) =>
    LAYERS.map((name) => layers.find((layer) => layer.name === name && layer.count > 0)).find((layer) => layer),
  refine: (attributes) => withEllipsoidalHeights(withPlainNames(withoutNumbers(attributes))),
}

/**
 * GPX 1.0 and 1.1 (https://www.topografix.com/GPX/1/1/). `ele` is above mean sea level; a point that has `geoidheight` too
 * has a height above the ellipsoid, the sum of both.
 */
export const gpx: SurveyFormat = {
  name: format.name,
  detects: (_, text) => /^(?:\xef\xbb\xbf)?\s*</.test(text) && /<gpx[\s>]/i.test(text.slice(0, 4096)),
  read: async (bytes, options) =>
    layerTable(format, new Map([['file.gpx', await wholeFile(bytes, options.maxBytes)]]), options),
}

function withoutNumbers({ names, valuesOf }: Attributes): Attributes {
  const kept = names.flatMap((name, index) => (NUMBERS.test(name) ? [] : [index]))
  return {
    names: kept.map((index) => names[index]!),
    valuesOf(feature) {
      const values = valuesOf(feature)
      return kept.map((index) => values[index])
    },
  }
}

/** Extensions under GDAL's prefix by their own names. A file that was exported here has the data of a point as its comment. */
function withPlainNames({ names, ...rest }: Attributes): Attributes {
  const plain = names.map((name) => name.replace(/^ogr_/, ''))
  const isExported = plain.some(saysExported)
  return { ...rest, names: plain.map((name) => (isExported && name === 'cmt' ? 'gcpData' : name)) }
}

function withEllipsoidalHeights({ names, valuesOf }: Attributes): Attributes {
  const [ele, geoid] = [names.indexOf('ele'), names.indexOf('geoidheight')]
  return {
    names: [...names, 'h'],
    valuesOf(feature) {
      const values = valuesOf(feature)
      const [altitude, undulation] = [values[ele], values[geoid]]
      const h = altitude && undulation ? String(Number(altitude) + Number(undulation)) : undefined
      return [...values, h]
    },
  }
}

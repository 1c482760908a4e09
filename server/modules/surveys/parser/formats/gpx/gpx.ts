import type { SurveyFormat } from '../../table.ts'
import { saysExported } from '../features/attribute-aliases.ts'
import type { Attributes } from '../features/feature-table.ts'
import { type LayeredFormat, layerTable } from '../gdal/layer-table.ts'
import { wholeFile } from '../read-whole.ts'
import { xmlAsUtf8 } from '../text/xml-text.ts'
import { withoutExtensionHeights } from './extension-heights.ts'
import { withoutFalseNumbers } from './gpx-numbers.ts'

/** Waypoints are preferred; a route or a track is read if there is nothing else, or by name. */
const LAYERS = ['waypoints', 'route_points', 'track_points']
/** GDAL's numbers of tracks and segments. */
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
 * GPX 1.0 and 1.1 (https://www.topografix.com/GPX/1/1/). `ele` is above mean sea level; with `geoidheight`, the sum of
 * both is the ellipsoidal height.
 */
export const gpx: SurveyFormat = {
  name: format.name,
  detects: (_, text) => /^(?:\xef\xbb\xbf)?\s*</.test(text) && /<gpx[\s>]/i.test(text.slice(0, 4096)),
  async read(bytes, options) {
    const whole = xmlAsUtf8(await wholeFile(bytes, options.maxBytes))
    const { file, faultOf } = withoutFalseNumbers(withoutExtensionHeights(whole))
    return layerTable(
      { ...format, faultOf: ({ position }) => position && faultOf(position.y) },
      new Map([['file.gpx', file]]),
      options,
    )
  },
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

/** Removes GDAL's prefix of extensions. In exports of this service, the comment has the data of a point. */
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

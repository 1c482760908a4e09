import type { SurveyFormat } from '../../table.ts'
import { type LayeredFormat, layerTable } from '../gdal/layer-table.ts'
import { wholeFile } from '../read-whole.ts'
import { xmlAsUtf8 } from '../text/xml-text.ts'
import { withoutFalseNumbers } from './gml-numbers.ts'

const format: LayeredFormat = { name: 'gml', title: 'GML', opening: { drivers: ['GML'] } }

/** GML 2 and 3, and responses of a Web Feature Service: a feature collection in the GML namespace. */
export const gml: SurveyFormat = {
  name: format.name,
  detects: (_, text) =>
    /^(?:\xef\xbb\xbf)?\s*</.test(text) &&
    /<(?:\w{1,40}:)?FeatureCollection[\s>]/.test(text.slice(0, 4096)) &&
    text.includes('opengis.net/gml'),
  async read(bytes, options) {
    const { file, faultOf } = withoutFalseNumbers(xmlAsUtf8(await wholeFile(bytes, options.maxBytes)))
    return layerTable({ ...format, faultOf }, new Map([['file.gml', file]]), options)
  },
}

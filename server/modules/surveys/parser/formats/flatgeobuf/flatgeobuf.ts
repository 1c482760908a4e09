import type { SurveyFormat } from '../../table.ts'
import { type LayeredFormat, layerTable } from '../gdal/layer-table.ts'
import { wholeFile } from '../read-whole.ts'

const format: LayeredFormat = {
  name: 'flatgeobuf',
  title: 'FlatGeobuf',
  opening: { drivers: ['FlatGeobuf'], options: ['VERIFY_BUFFERS=YES'] },
}

/** FlatGeobuf 3, detected by its magic bytes. */
export const flatgeobuf: SurveyFormat = {
  name: format.name,
  detects: (_, text) => text.startsWith('fgb\x03fgb'),
  read: async (bytes, options) =>
    layerTable(format, new Map([['file.fgb', await wholeFile(bytes, options.maxBytes)]]), options),
}

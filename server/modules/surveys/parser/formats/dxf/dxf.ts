import type { SurveyFormat } from '../../table.ts'
import { type LayeredFormat, layerTable } from '../gdal/layer-table.ts'
import { wholeFile } from '../read-whole.ts'
import { withTags } from './tags.ts'

const format: LayeredFormat = {
  name: 'dxf',
  title: 'DXF',
  opening: { drivers: ['DXF'] },
  args: ['-splitlistfields', '-maxsubfields', '32'],
  isLayer: ({ name }) => name === 'entities',
  refine: withTags,
}

/**
 * Drawings (DXF reference of AutoCAD 2018, as text): POINT entities and inserted blocks are points, all other entities are
 * failed rows. A drawing has no reference system.
 */
export const dxf: SurveyFormat = {
  name: format.name,
  detects: (_, text) =>
    /^(?:\s{0,5}999\r?\n[^\n]{0,300}\n){0,20}\s{0,5}0\r?\n\s{0,5}SECTION\r?\n/.test(text.slice(0, 12_000)),
  read: async (bytes, options) =>
    layerTable(format, new Map([['file.dxf', await wholeFile(bytes, options.maxBytes)]]), options),
}

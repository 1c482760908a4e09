import type { SurveyFormat } from '../../table.ts'
import { type LayeredFormat, layerTable } from '../gdal/layer-table.ts'
import { wholeFile } from '../read-whole.ts'
import { assertDxfNumbers } from './dxf-numbers.ts'
import { withTags } from './tags.ts'

const format: LayeredFormat = {
  name: 'dxf',
  title: 'DXF',
  opening: { drivers: ['DXF'] },
  args: ['-splitlistfields', '-maxsubfields', '32'],
  isLayer: ({ name }) => name === 'entities',
  refine: withTags,
}

/** Comments before the first section. */
const COMMENTS = /^(?:\s{0,5}999\r?\n[^\n]{0,300}\n){0,20}/
/** A comment that is a code of the register or proj text, and nothing else. */
const SYSTEM = /^(?:(?:EPSG|ESRI):\d{1,7}(?:\+\d{1,7})?|\+proj=.+)$/

/**
 * Drawings (DXF reference of AutoCAD 2018, as text): POINT entities and inserted blocks are points, all other entities
 * are failed rows. A drawing has no reference system, unless a comment at its beginning names one, as in exports of
 * this service.
 */
export const dxf: SurveyFormat = {
  name: format.name,
  detects: (_, text) => /^\s{0,5}0\r?\n\s{0,5}SECTION\r?\n/.test(text.slice(0, 12_000).replace(COMMENTS, '')),
  async read(bytes, options) {
    const file = await wholeFile(bytes, options.maxBytes)
    assertDxfNumbers(file)
    const table = await layerTable(format, new Map([['file.dxf', file]]), options)
    return { ...table, systems: { ...table.systems, crs: systemIn(file) } }
  },
}

/** The last one: the first comment of an export is a title. */
function systemIn(file: Uint8Array): string | undefined {
  const [comments] = COMMENTS.exec(Buffer.from(file.subarray(0, 12_000)).toString('latin1'))!
  const lines = comments.split('\n').map((line) => line.trim())
  return lines.findLast((line) => SYSTEM.test(line))
}

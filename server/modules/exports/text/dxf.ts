import { writtenAddresses } from '../../surveys/parser/rows/cairn-export.ts'
import type { Export, ExportSystem, PlacedGcp } from '../schema.ts'
import { dxfText, MAX_TEXT } from './dxf-text.ts'
import { oneLine, remarks } from './header-comments.ts'

type Code = [group: number, value: string | number]

const LAYER = 'GCP'
/** Height of the labels, in metres. */
const LABEL = 0.5

/** Attributes of a point's block, by tag. The name is the visible label. */
const attributes: [tag: string, value: (gcp: PlacedGcp) => string | number | null][] = [
  ['NAME', ({ title }) => title],
  ['DESCRIPTION', ({ description }) => description],
  ['H', ({ h }) => h],
  ['ALTITUDE', ({ altitude }) => altitude],
  ['HEIGHTDATUM', ({ heightDatum }) => heightDatum],
  ['HEIGHTOPERATION', ({ heightOperation }) => heightOperation],
  ['HEIGHTACCURACY', ({ heightAccuracy }) => heightAccuracy],
  ['ACCURACYH', ({ accuracyH }) => accuracyH],
  ['ACCURACYV', ({ accuracyV }) => accuracyV],
  ['YAW', ({ yaw }) => yaw],
  ['PITCH', ({ pitch }) => pitch],
  ['ROLL', ({ roll }) => roll],
  ['APRILTAGID', ({ aprilTagId }) => aprilTagId],
  ['GCPTYPE', ({ gcpType }) => gcpType],
  ['GCPDATA', ({ gcpData }) => gcpData],
  ['PHOTOURLS', ({ photoUrls }) => writtenAddresses(photoUrls)],
]

/**
 * Points as a drawing (DXF of AutoCAD R12, as text): each inserts the block GCP, which is a point, with its name as a label
 * and everything else as invisible attributes. z is the altitude, otherwise h, in the system's unit, and 0 without a
 * height. The system is only named in comments, as are points without coordinates and texts of more than 255 characters,
 * which an import then keeps.
 */
export async function* dxfOf({ name, system, operations, batches }: Export): AsyncGenerator<string> {
  const height = LABEL / system!.unit
  yield codes([
    ...[oneLine(name), system!.name, ...remarks(system, operations)].map((line): Code => [999, dxfText(line)]),
    ...section('HEADER', [
      [9, '$ACADVER'],
      [1, 'AC1009'],
      [9, '$DWGCODEPAGE'],
      [3, 'ANSI_1252'],
    ]),
    ...section('TABLES', [
      ...table('LTYPE', [
        [2, 'CONTINUOUS'],
        [70, 0],
        [3, 'Solid line'],
        [72, 65],
        [73, 0],
        [40, 0],
      ]),
      ...table('LAYER', [
        [2, LAYER],
        [70, 0],
        [62, 7],
        [6, 'CONTINUOUS'],
      ]),
      ...table('STYLE', [
        [2, 'STANDARD'],
        [70, 0],
        [40, 0],
        [41, 1],
        [50, 0],
        [71, 0],
        [42, height],
        [3, 'txt'],
        [4, ''],
      ]),
    ]),
    ...section('BLOCKS', block(height)),
    [0, 'SECTION'],
    [2, 'ENTITIES'],
  ])
  for await (const gcps of batches) yield gcps.map((gcp) => codes(inserted(gcp, system!, height))).join('')
  yield codes([
    [0, 'ENDSEC'],
    [0, 'EOF'],
  ])
}

const codes = (list: readonly Code[]): string => list.map(([group, value]) => `${group}\r\n${value}\r\n`).join('')

const section = (name: string, content: Code[]): Code[] => [[0, 'SECTION'], [2, name], ...content, [0, 'ENDSEC']]

const table = (kind: string, entry: Code[]): Code[] => [
  [0, 'TABLE'],
  [2, kind],
  [70, 1],
  [0, kind],
  ...entry,
  [0, 'ENDTAB'],
]

const at = (x: number, y: number, z: number): Code[] => [
  [10, x],
  [20, y],
  [30, z],
]

/** Flag of an invisible attribute; only the name is visible. */
const hidden = (tag: string): number => (tag === 'NAME' ? 0 : 1)

const block = (height: number): Code[] => [
  [0, 'BLOCK'],
  [8, LAYER],
  [2, 'GCP'],
  [70, 2],
  ...at(0, 0, 0),
  [3, 'GCP'],
  [0, 'POINT'],
  [8, LAYER],
  ...at(0, 0, 0),
  ...attributes.flatMap(([tag]): Code[] => [
    [0, 'ATTDEF'],
    [8, LAYER],
    ...at(height, height, 0),
    [40, height],
    [1, ''],
    [3, tag],
    [2, tag],
    [70, hidden(tag)],
  ]),
  [0, 'ENDBLK'],
  [8, LAYER],
]

function inserted(gcp: PlacedGcp, { unit }: ExportSystem, height: number): Code[] {
  const { x, y, title } = gcp
  const shown = dxfText(oneLine(title).slice(0, MAX_TEXT))
  if (x === null || y === null) return [[999, `${shown} has no coordinates`]]
  const metres = gcp.altitude ?? gcp.h ?? 0
  const z = Number((metres / unit).toFixed(6))
  const texts = attributes.map(([tag, value]) => [tag, dxfText(String(value(gcp) ?? ''))] as const)
  // The presence of these, even if empty, identifies an export to an import.
  const filled = texts.filter(([tag, text]) => text !== '' || ['HEIGHTDATUM', 'H', 'ALTITUDE'].includes(tag))
  const tooLong = texts.filter(([, text]) => text.length > MAX_TEXT).map(([tag]) => tag)
  return [
    ...(tooLong.length > 0 ? [[999, `${shown}: too long for a drawing: ${tooLong.join(', ')}`] satisfies Code] : []),
    [0, 'INSERT'],
    [8, LAYER],
    [66, 1],
    [2, 'GCP'],
    ...at(x, y, z),
    ...filled.flatMap(([tag, text]): Code[] => [
      [0, 'ATTRIB'],
      [8, LAYER],
      ...at(x + height, y + height, z),
      [40, height],
      [1, text.length > MAX_TEXT ? '' : text],
      [2, tag],
      [70, hidden(tag)],
    ]),
    [0, 'SEQEND'],
    [8, LAYER],
  ]
}

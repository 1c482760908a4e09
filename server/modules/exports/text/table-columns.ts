import { writtenAddresses, writtenText } from '../../surveys/parser/rows/cairn-export.ts'
import type { ExportSystem } from '../schema.ts'
import type { CheckedGcp } from './photo-checks.ts'

export type Cell = string | number | null
export type TableColumn = { name: string; cell: (gcp: CheckedGcp) => Cell }

/**
 * The columns of a table, which an import reads back exactly, but for those of how a tag is placed and of what photos show. Coordinates are in the order of the register, and their
 * headers name the axis and the system: `northing (EPSG:31467)`.
 */
export const tableColumns = (system: ExportSystem | undefined): TableColumn[] => [
  { name: 'title', cell: ({ title }) => writtenText(title) },
  ...axes(system),
  { name: 'h', cell: ({ h }) => h },
  { name: 'altitude', cell: ({ altitude }) => altitude },
  { name: 'heightDatum', cell: ({ heightDatum }) => writtenText(heightDatum) },
  { name: 'heightOperation', cell: ({ heightOperation }) => writtenText(heightOperation) },
  { name: 'heightAccuracy', cell: ({ heightAccuracy }) => heightAccuracy },
  { name: 'accuracyH', cell: ({ accuracyH }) => accuracyH },
  { name: 'accuracyV', cell: ({ accuracyV }) => accuracyV },
  { name: 'yaw', cell: ({ yaw }) => yaw },
  { name: 'pitch', cell: ({ pitch }) => pitch },
  { name: 'roll', cell: ({ roll }) => roll },
  { name: 'aprilTagId', cell: ({ aprilTagId }) => aprilTagId },
  { name: 'tagSize', cell: ({ tagSize }) => tagSize },
  { name: 'tagHeading', cell: ({ tagPose }) => tagPose?.heading ?? null },
  { name: 'tagTilt', cell: ({ tagPose }) => tagPose?.tilt ?? null },
  { name: 'tagTurn', cell: ({ tagPose }) => tagPose?.turn ?? null },
  { name: 'gcpType', cell: ({ gcpType }) => gcpType },
  { name: 'description', cell: ({ description }) => writtenText(description) },
  { name: 'gcpData', cell: ({ gcpData }) => writtenText(gcpData) },
  { name: 'photoUrls', cell: ({ photoUrls }) => writtenAddresses(photoUrls) },
  { name: 'tagCheck', cell: ({ tagCheck }) => tagCheck },
  { name: 'distanceToGcp', cell: ({ distanceToGcp }) => distanceToGcp },
  { name: 'photoNotes', cell: ({ photoNotes }) => writtenText(photoNotes.join('; ') || null) },
]

function axes(system: ExportSystem | undefined): TableColumn[] {
  if (system?.isReversed) {
    const westing: TableColumn = { name: `westing (${system.name})`, cell: ({ x }) => reversed(x) }
    const southing: TableColumn = { name: `southing (${system.name})`, cell: ({ y }) => reversed(y) }
    return system.northFirst ? [southing, westing] : [westing, southing]
  }
  const [east, north] = system?.kind === 'projected' ? ['easting', 'northing'] : ['longitude', 'latitude']
  const named = (axis: string) => (system ? `${axis} (${system.name})` : axis)
  const x: TableColumn = { name: named(east!), cell: (gcp) => gcp.x }
  const y: TableColumn = { name: named(north!), cell: (gcp) => gcp.y }
  return !system || system.northFirst ? [y, x] : [x, y]
}

/** Turns an easting into a westing, a northing into a southing. */
export const reversed = (figure: number | null): number | null => (figure === null ? null : 0 - figure)

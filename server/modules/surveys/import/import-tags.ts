import { spotOf, tagConflictDistance } from '../../gcps/tags/april-tags.ts'
import type { Finding } from '../report/report-store.ts'
import { ordinalOf } from './import-batches.ts'
import type { NearbyTaggedGcp, TaggedRow, TagJudge } from './import-store.ts'

/**
 * The AprilTag rule for the rows of a file, as if they were written one after the other: a row may not have a tag that
 * a point within `metres`, or one without a position in the same zone, has in the tables or in an earlier row.
 * @param remembers earlier batches too, for a dry run
 * @param column the file's name of the tag column; null without one
 */
export function tagJudge(
  metres: number,
  { remembers = false, column = () => null }: { remembers?: boolean; column?: () => string | null } = {},
): TagJudge {
  let accepted = new Map<number, TaggedRow[]>()
  let rewritten = new Set<number>()
  return (tagged, bearers) => {
    const refused = new Map<number, Finding>()
    if (!remembers) {
      accepted = new Map()
      rewritten = new Set()
    }
    const near = groupByRow(bearers)
    for (const point of tagged) {
      const { own } = point
      const standing = [
        ...(near.get(point.row) ?? []),
        ...(near.get(null) ?? []).filter(({ tag }) => tag === point.tag),
      ]
      const others = standing.filter(({ gcpId }) => gcpId !== own && !rewritten.has(gcpId))
      const rival =
        others.find((bearer) => isRival(point, bearer, metres)) ??
        accepted.get(point.tag)?.find((row) => row.row !== point.row && isRival(point, row, metres))
      if (rival) refused.set(point.row, finding(point, rival, metres, column()))
      else {
        accepted.set(point.tag, [...(accepted.get(point.tag) ?? []), point])
        if (own !== null) rewritten.add(own)
      }
    }
    return refused
  }
}

function groupByRow(bearers: NearbyTaggedGcp[]): Map<number | null, NearbyTaggedGcp[]> {
  const groups = new Map<number | null, NearbyTaggedGcp[]>()
  for (const bearer of bearers) groups.set(bearer.row, [...(groups.get(bearer.row) ?? []), bearer])
  return groups
}

/** Whether the points' equal tags conflict: they are near each other, or in one zone without a position. */
const isRival = (point: TaggedRow, other: TaggedRow | NearbyTaggedGcp, metres: number): boolean =>
  tagConflictDistance(spotOf(point), other, { metres, isSameZone: true }) !== undefined

function finding(point: TaggedRow, rival: TaggedRow | NearbyTaggedGcp, metres: number, column: string | null): Finding {
  const who = 'gcpId' in rival ? `GCP ${rival.gcpId} "${rival.title}"` : `row ${rival.row} "${rival.title}"`
  const message = `AprilTag ${point.tag} is already carried by ${who} nearby: write a tag that no point within ${metres} m has, or none`
  return {
    ordinal: ordinalOf(point.row, 0),
    row: point.row,
    line: point.line,
    title: point.title,
    failed: true,
    faults: [{ code: 'APRIL_TAG_CONFLICT', message, column, value: String(point.tag) }],
  }
}

import type { Gcp, Zone } from '@cairn/sdk'
import { messages } from '../../../messages/index.ts'
import { useZonePoints } from './use-zone-points.ts'

const texts = messages.map.sheets

/** Millimetres, if the point does not say. */
const USUAL = 160
/** Millimetres of the largest tag on each paper. */
const LARGEST = { a4: 161, a3: 231 }

const addressOf = (ids: number[], millimetres: number): string => {
  const paper = millimetres > LARGEST.a4 ? '&paper=a3' : ''
  return `/api/v1/tags/sheet?ids=${ids.join()}&size=${millimetres}${paper}`
}

function SheetLink({ ids, size, children }: { ids: number[]; size: number; children: string }) {
  return (
    <a href={addressOf(ids, size)} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

/** Leads to the sheet with the tag of a control point, unless no paper is large enough. */
export function GcpTagSheet({ gcp: { aprilTagId, tagSize } }: { gcp: Gcp }) {
  if (aprilTagId === null) return null
  const size = tagSize === null ? USUAL : Math.round(tagSize * 10_000) / 10
  if (size > LARGEST.a3) return null
  return (
    <SheetLink ids={[aprilTagId]} size={size}>
      {texts.one(aprilTagId, size)}
    </SheetLink>
  )
}

/** Leads to the sheet with the tags of a zone's control points. */
export function ZoneTagSheet({ zone }: { zone: Zone }) {
  const ids = [...new Set(useZonePoints(zone)?.flatMap(({ aprilTagId }) => aprilTagId ?? []))].sort((a, b) => a - b)
  return ids.length === 0 ? null : (
    <SheetLink ids={ids} size={USUAL}>
      {texts.all(ids.length, USUAL)}
    </SheetLink>
  )
}

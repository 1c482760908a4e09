import type { Gcp, Zone } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'

const texts = messages.map.sheets

/** Millimetres, if the point does not say. */
const USUAL = 160
/** Points of a zone whose tags are printed. */
const MOST = 1000

const addressOf = (ids: number[], millimetres = USUAL): string =>
  `/api/v1/tags/sheet?ids=${ids.join()}&size=${millimetres}`

function SheetLink({ ids, size, children }: { ids: number[]; size?: number; children: string }) {
  return (
    <a href={addressOf(ids, size)} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

/** Leads to the sheet with the tag of a control point. */
export function GcpTagSheet({ gcp: { aprilTagId, tagSize } }: { gcp: Gcp }) {
  if (aprilTagId === null) return null
  const size = tagSize === null ? USUAL : Math.round(tagSize * 10_000) / 10
  return (
    <SheetLink ids={[aprilTagId]} size={size}>
      {texts.one(aprilTagId, size)}
    </SheetLink>
  )
}

/** Leads to the sheet with the tags of a zone's control points. */
export function ZoneTagSheet({ zone }: { zone: Zone }) {
  const cairn = useCairn()
  const { data } = useQuery({
    queryKey: ['map', 'tags-of-zone', zone.id],
    queryFn: ({ signal }) => cairn.gcps.list({ zoneId: zone.id, limit: MOST }, { signal }).all({ atMost: MOST }),
  })
  const ids = [...new Set(data?.flatMap(({ aprilTagId }) => aprilTagId ?? []))].sort((a, b) => a - b)
  return ids.length === 0 ? null : <SheetLink ids={ids}>{texts.all(ids.length, USUAL)}</SheetLink>
}

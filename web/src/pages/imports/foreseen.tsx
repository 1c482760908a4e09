import type { CsvUpload, CsvUploadReport, Zone } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useCairn } from '../../session/session.tsx'
import { Preview } from './preview.tsx'

const OUTSIDE = 'OUTSIDE_ZONE'
/** The report has the points of the first so many rows. */
const SAMPLED = 2000

/** Where a check found the points. Those far outside the zone are known before the map is drawn, which shows the others. */
export function Foreseen({ record, report, zone }: { record: CsvUpload; report: CsvUploadReport; zone: Zone }) {
  const cairn = useCairn()
  const { points, causes, summary } = report
  const { data: outside } = useQuery({
    queryKey: ['import', record.id, 'outside', record.updatedAt],
    queryFn: async ({ signal }) => {
      if (!causes.some(({ code }) => code === OUTSIDE)) return new Set<number>()
      const list = cairn.csvUploads.findings(record.id, { cause: OUTSIDE, limit: SAMPLED }, { signal })
      const { items } = await list.first()
      return new Set(items.flatMap(({ row }) => row ?? []))
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!outside) return null
  const placed = points.filter(({ status }) => status === 'failed').length
  return <Preview points={points} zone={zone} outside={outside} placeless={Math.max(0, summary.failed - placed)} />
}

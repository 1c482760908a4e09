import type { CsvUpload, CsvUploadReport, Zone } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useCairn } from '../../../session/session.tsx'
import { Preview } from './preview.tsx'

const OUTSIDE = 'OUTSIDE_ZONE'
/** The report has the points of the first so many rows. */
const SAMPLED = 2000
const NONE: ReadonlySet<number> = new Set()

/** Where a check found the points. Those far outside the zone are known before the map is drawn, which shows the others. */
export function CheckPreview({ record, report, zone }: { record: CsvUpload; report: CsvUploadReport; zone: Zone }) {
  const cairn = useCairn()
  const { points, causes, summary } = report
  const { data, error } = useQuery({
    queryKey: ['import', record.id, 'outside', record.updatedAt],
    queryFn: async ({ signal }) => {
      const rows = new Set<number>()
      if (!causes.some(({ code }) => code === OUTSIDE)) return rows
      for await (const { row } of cairn.csvUploads.findings(record.id, { cause: OUTSIDE, limit: 1000 }, { signal })) {
        if (row === null || row > SAMPLED) break
        rows.add(row)
      }
      return rows
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  // Without it the map shows all of them.
  const outside = data ?? (error ? NONE : undefined)
  if (!outside) return null
  const placed = points.filter(({ status }) => status === 'failed').length
  return <Preview points={points} zone={zone} outside={outside} placeless={Math.max(0, summary.failed - placed)} />
}

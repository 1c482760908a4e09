import type { CsvUpload, CsvUploadReport, Zone } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../../../components/data/format.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { Preview } from './preview.tsx'

const texts = messages.imports.findings
const OUTSIDE = 'OUTSIDE_ZONE'
/** The report includes the points of this many rows. */
const SAMPLED = 2000
const NONE: ReadonlySet<number> = new Set()

/** A map of the checked points. Loads which rows are far outside the zone first, so that the map can ignore them. */
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
  // If that fails, the map shows all points.
  const outside = data ?? (error ? NONE : undefined)
  if (!outside) return null
  const placed = points.filter(({ status }) => status === 'failed').length
  const failures = causes.filter(({ status }) => status === 'failed')
  const undrawn = {
    count: Math.max(0, summary.failed - placed),
    causes: failures.map(({ code, count }) => texts.cause(texts.codes[code] ?? code, formatNumber(count))).join(', '),
  }
  return <Preview points={points} zone={zone} outside={outside} undrawn={undrawn} />
}

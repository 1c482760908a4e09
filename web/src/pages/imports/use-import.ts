import type { Cairn, CsvUpload } from '@cairn/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import { parseOptionsOf, toImportOptions } from './columns/parse-options.tsx'
import type { Step } from './search-params.ts'

export const isRunning = ({ status }: CsvUpload) => status === 'PENDING' || status === 'PROCESSING'

/** One import, followed while it runs, and then its report without rows. */
export function useImport(id: string) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const record = useQuery({ queryKey: ['import', id], queryFn: ({ signal }) => cairn.csvUploads.get(id, { signal }) })
  const runs = record.data !== undefined && isRunning(record.data)

  useEffect(() => {
    if (!runs) return undefined
    const left = new AbortController()
    const watch = async () => {
      for await (const now of cairn.csvUploads.follow(id, { signal: left.signal }))
        queries.setQueryData(['import', id], now)
    }
    watch().catch(() => {
      // If the stream fails, refetch the record.
      if (!left.signal.aborted) void queries.invalidateQueries({ queryKey: ['import', id] })
    })
    return () => left.abort()
  }, [cairn, queries, id, runs])

  const zoneId = record.data?.zoneId
  const zone = useQuery({
    queryKey: ['zone', zoneId],
    queryFn: ({ signal }) => cairn.zones.get(zoneId!, { signal }),
    enabled: zoneId !== undefined,
  })
  const report = useQuery({
    queryKey: ['import', id, 'report', record.data?.updatedAt],
    queryFn: ({ signal }) => cairn.csvUploads.summary(id, { signal }),
    enabled: record.data !== undefined && !runs,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { record, zone, report }
}

type Options = {
  crs?: string
  header?: string
  layer?: string
  angles?: 'decimal' | 'dms-packed'
  heightDatum?: string
  maxError?: number
  swapAxes?: boolean
  onError?: 'skip' | 'abort'
  rowCount?: number
}

/** Starts a new check, whose page opens at the step in view, or applies the import. */
export function useImportActions(record: CsvUpload, step: Step) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const go = (to: CsvUpload, step: Step) => {
    queries.setQueryData(['import', to.id], to)
    void navigate({ to: '/import/$uploadId', params: { uploadId: to.id }, search: { step } })
  }
  const check = useMutation({
    mutationFn: (options: Options) =>
      record.status === 'FAILED'
        ? cairn.csvUploads.retry(record.id, options)
        : send(cairn, record, { ...options, dryRun: true }),
    onSuccess: (to) => go(to, to.dryRun ? step : 'apply'),
  })
  const apply = useMutation({
    mutationFn: (options: Options) => send(cairn, record, { ...options, dryRun: false }),
    onSuccess: (to) => go(to, 'apply'),
  })
  return { check, apply }
}

function send(cairn: Cairn, record: CsvUpload, { rowCount, ...options }: Options & { dryRun: boolean }) {
  const { fileName, fileUrl, zoneId, header, onError } = record
  if (fileUrl === null) throw new Error(messages.imports.head.notYours)
  return cairn.csvUploads.create(
    { fileName, fileUrl, zoneId, ...(rowCount === undefined ? {} : { rowCount }) },
    { ...toImportOptions(parseOptionsOf(record)), ...(header === null ? {} : { header }), onError, ...options },
  )
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useCairn } from '../../session/session.tsx'
import { mainConversion, mainOptions } from './model-types.ts'

/** One file. Follows its conversion while it runs. */
export function useFile(fileId: number) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const key = ['file', fileId]
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => cairn.files.get(fileId, { signal }),
    // A conversion with options that the page did not request itself.
    refetchInterval: ({ state: { data } }) =>
      data?.conversionsWithOptions.some(({ status }) => status === 'PENDING' || status === 'PROCESSING') ? 3000 : false,
  })

  const file = query.data
  const options = file && mainOptions(file)

  /** Requests the main conversion. The response comes when the conversion ends, so the stream reports the progress. */
  const convert = useMutation({
    mutationFn: () => cairn.files.convert(fileId, options),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })

  const status = file && mainConversion(file)?.status
  const isConverting = status === 'PENDING' || status === 'PROCESSING' || convert.isPending
  useEffect(() => {
    if (!isConverting) return
    const left = new AbortController()
    const watch = async () => {
      for await (const _ of cairn.files.followConversion(fileId, { ...options, signal: left.signal }))
        await queries.invalidateQueries({ queryKey: ['file', fileId] })
    }
    // If the stream fails, the next refetch shows the result.
    watch().catch(() => {})
    return () => left.abort()
  }, [isConverting, cairn, fileId, options, queries])

  return { query, convert, isConverting }
}

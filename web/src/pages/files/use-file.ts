import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useCairn } from '../../session/session.tsx'

/** One file; while it is converted it follows that. */
export function useFile(fileId: number) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const key = ['file', fileId]
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => cairn.files.get(fileId, { signal }) })

  /** Asks for a conversion; the service answers when it has ended, so that this is not what is waited for. */
  const convert = useMutation({
    mutationFn: () => cairn.files.convert(fileId),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })

  const status = query.data?.conversion?.status
  const isConverting = status === 'PENDING' || status === 'PROCESSING' || convert.isPending
  useEffect(() => {
    if (!isConverting) return
    const left = new AbortController()
    const watch = async () => {
      for await (const _ of cairn.files.followConversion(fileId, { signal: left.signal }))
        await queries.invalidateQueries({ queryKey: ['file', fileId] })
    }
    // Where the stream cannot be followed, the answer to the page's next look tells.
    watch().catch(() => {})
    return () => left.abort()
  }, [isConverting, cairn, fileId, queries])

  return { query, convert, isConverting }
}

import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { messages } from '../../messages/index.ts'
import { Failure } from '../feedback/failure.tsx'
import classes from './query-result.module.css'

/** Renders a query: a skeleton while loading, the error, or the data. Previous data stays visible, dimmed, while new data loads. */
export function QueryResult<Data>({
  query,
  rows = 4,
  children,
}: {
  query: UseQueryResult<Data>
  /** Number of skeleton rows while loading. */
  rows?: number
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined)
    return <div className={query.isPlaceholderData ? classes.old : undefined}>{children(query.data)}</div>
  if (query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return <Skeleton rows={rows} />
}

/** Placeholder lines, shown after 200 ms. */
export function Skeleton({ rows }: { rows: number }) {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setIsLate, 200, true)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={classes.bars} role="status" data-loading>
      <span className="visually-hidden">{messages.common.loading}</span>
      {isLate &&
        Array.from({ length: rows }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bars are all alike
          <span key={i} className={`${classes.bar} drawn`} style={{ width: `${[70, 45, 60, 35][i % 4]}%` }} />
        ))}
    </div>
  )
}

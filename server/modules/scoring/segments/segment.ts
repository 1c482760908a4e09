import { createHash } from 'node:crypto'
import type { Segment } from './schema.ts'

/** A segment as text. */
export const segmentText = ({ name, value }: Segment): string => `${name}:${value}`

/** The key of a segment's board, as segment_key (0050_segments.sql) computes it. @param boardKey of the whole board */
export const segmentKey = (boardKey: string, segment: Segment): string =>
  createHash('md5')
    .update(`${boardKey} ${segmentText(segment)}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

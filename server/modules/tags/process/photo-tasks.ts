import type { PhotoFacts } from '../reading/photo-facts.ts'

/** Requests to the process that reads photos: the bytes arrive in chunks, then it reads them all. */
export type PhotoTask = { kind: 'piece'; at: number; size: number } | { kind: 'read' }

export type PhotoAnswer =
  | { kind: 'taken' }
  | { kind: 'read'; facts: PhotoFacts }
  /** The photo cannot be read; the message is for its sender. */
  | { kind: 'refused'; message: string }

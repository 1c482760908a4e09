import type { ScoreMetadata } from './schema.ts'

/** As it is written to the database. */
export const inDatabase = (metadata: ScoreMetadata | undefined): string | null =>
  metadata === undefined ? null : JSON.stringify(metadata)

/** The member of a response: absent if the score has no metadata. */
export const shownMetadata = (metadata: ScoreMetadata | null | undefined): { metadata?: ScoreMetadata } =>
  metadata ? { metadata } : {}

import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import type { GameSessionPlayer } from '../schema.ts'
import { shownMetadata } from '../scores/metadata.ts'
import type { ScoreMetadata } from '../scores/schema.ts'
import { placeFields, shownPlayerFields } from './player-record.ts'

/** A player of a session as it is read, with its user beside it. */
export type SessionPlayerRow = Omit<GameSessionPlayer, 'user' | 'metadata' | 'state' | 'reviewId'> & {
  metadata: ScoreMetadata | null | undefined
  userId: string | null
  username: string | null
}

const names = [...Object.keys(placeFields), 'playerId', ...Object.keys(shownPlayerFields)] as (keyof SessionPlayerRow)[]

/** The player of a session as the API returns it. */
export function presentPlayer(row: SessionPlayerRow, written: OwnUrls['written']): GameSessionPlayer {
  const shown = Object.fromEntries(names.map((name) => [name, row[name]])) as Omit<GameSessionPlayer, 'score' | 'user'>
  return {
    score: row.score,
    ...shownMetadata(row.metadata),
    ...shown,
    imageUrl: written(row.imageUrl),
    user: row.userId === null ? null : { id: row.userId, username: row.username },
  }
}

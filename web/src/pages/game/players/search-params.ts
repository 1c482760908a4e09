import type { ListPlayersData } from '@cairn/sdk'

const STANDINGS = ['normal', 'hidden', 'banned'] as const
const SORTS = ['createdAt', '-createdAt', 'displayName', '-displayName', 'bestScore', '-bestScore'] as const
type Sort = (typeof SORTS)[number]

/** Search parameters of the list of players. `game` is a mini game ID. */
export type PlayersSearch = {
  q?: string | undefined
  standing?: (typeof STANDINGS)[number] | undefined
  sort?: Sort | undefined
  game?: string | undefined
}

/** Invalid and empty values are dropped. */
export function parsePlayersSearch({ q, standing, sort, game }: Record<string, unknown>): PlayersSearch {
  const knownStanding = STANDINGS.find((one) => one === standing)
  const knownSort = SORTS.find((one) => one === sort)
  return {
    ...(q !== undefined && q !== '' ? { q: String(q) } : {}),
    ...(knownStanding ? { standing: knownStanding } : {}),
    ...(knownSort && knownSort !== 'createdAt' ? { sort: knownSort } : {}),
    ...(typeof game === 'string' && game !== '' ? { game } : {}),
  }
}

/** The query of the API for these parameters. */
export const playersQuery = ({ standing, sort, game }: PlayersSearch, search: string) => ({
  ...(search && { search }),
  ...(standing && { standing }),
  ...(sort && { sort }),
  ...(game && { miniGameTypeId: game }),
})

/** The query with the scores of each player. */
export const playersQueryWithScores = (
  params: PlayersSearch,
  search: string,
): NonNullable<ListPlayersData['query']> => ({ ...playersQuery(params, search), limit: 50, includeScores: true })

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCairn } from '../../session/session.tsx'
import { useAppCairn } from '../../session/use-app.tsx'
import { useCurrentApp } from '../current-app.tsx'

/** A search begins with this many characters. */
const SHORTEST = 2
const EACH = 5

/** The first players and sessions of the current app, and the first places and files that match: at most five of each kind. */
export function useFound(search: string) {
  const { app } = useCurrentApp()
  const cairn = useCairn()
  const inApp = useAppCairn(app)
  const isLong = search.length >= SHORTEST
  const query = { search, limit: EACH }
  const players = useQuery({
    queryKey: ['players', app?.id, 'jump', search],
    queryFn: async ({ signal }) => (await inApp!.players.list(query, { signal }).first()).items,
    enabled: inApp !== undefined && isLong,
    placeholderData: keepPreviousData,
  })
  const sessions = useQuery({
    queryKey: ['sessions', app?.id, 'jump', search],
    queryFn: async ({ signal }) => (await inApp!.gameSessions.list(query, { signal }).first()).items,
    enabled: inApp !== undefined && isLong,
    placeholderData: keepPreviousData,
  })
  const files = useQuery({
    queryKey: ['files', 'jump', search],
    queryFn: async ({ signal }) => (await cairn.files.list(query, { signal }).first()).items,
    enabled: isLong,
    placeholderData: keepPreviousData,
  })
  const places = useQuery({
    queryKey: ['places', 'jump', search],
    queryFn: ({ signal }) => cairn.pins.named(search, { limit: EACH }, { signal }),
    enabled: isLong,
    placeholderData: keepPreviousData,
  })
  return {
    places: (isLong && places.data) || [],
    players: (isLong && players.data) || [],
    sessions: (isLong && sessions.data) || [],
    files: (isLong && files.data) || [],
    /** Whether what is shown may still be of an earlier search. */
    isFetching: isLong && [players, sessions, places, files].some((one) => one.isFetching),
  }
}

export type Found = ReturnType<typeof useFound>

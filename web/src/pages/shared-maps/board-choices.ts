import type { SharedBoard } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { messages } from '../../messages/index.ts'
import { useCairn, useSignedIn } from '../../session/session.tsx'
import { hasRole } from '../../session/use-app.tsx'

const texts = messages.sharedMaps
/** Apps whose leaderboards are offered. */
const MAX_APPS = 20

/** A leaderboard as the value of an option. */
export const boardKey = ({ appId, miniGameTypeId }: SharedBoard): string => [appId, miniGameTypeId ?? ''].join('/')

export function boardOfKey(key: string): SharedBoard {
  const [appId, miniGameTypeId] = key.split('/') as [string, string]
  return { appId, miniGameTypeId: miniGameTypeId || null }
}

/** The leaderboards that the user may share: those of apps in which the user is a developer. */
export function useBoardChoices(): { value: string; label: string }[] {
  const cairn = useCairn()
  const { inApp } = useSignedIn()
  const { data = [] } = useQuery({
    queryKey: ['boards', 'pick'],
    queryFn: async ({ signal }) => {
      const apps = (await cairn.apps.list({ maskKeys: true }, { signal }).all()).filter((app) =>
        hasRole(app, 'developer'),
      )
      const choices = apps.slice(0, MAX_APPS).map(async ({ id: appId, name }) => {
        const types = await inApp(appId).miniGameTypes.list({}, { signal }).all()
        return [
          { value: boardKey({ appId, miniGameTypeId: null }), label: texts.defaultBoard(name) },
          ...types.map(({ id, name: type }) => ({
            value: boardKey({ appId, miniGameTypeId: id }),
            label: texts.board(name, type),
          })),
        ]
      })
      return (await Promise.all(choices)).flat()
    },
  })
  return data
}

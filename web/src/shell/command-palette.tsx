import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight'
import { IconApps, IconSearch, IconUser } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useDebounced } from '../components/query/use-debounced.ts'
import { messages } from '../messages/index.ts'
import { useRoles } from '../session/session.tsx'
import { useAppCairn } from '../session/use-app.tsx'
import { useCurrentApp } from './current-app.tsx'
import { appPages, boxPages, placePages } from './nav-items.ts'

/** Ctrl K: goes to any page, app or player. */
export function CommandPalette() {
  const [query, setQuery] = useState('')
  const navigate = useNavigate()
  const { apps, app } = useCurrentApp()
  const { isAdmin, isOps } = useRoles()
  const players = usePlayers(useDebounced(query.trim()))
  const maySee = { all: true, ops: isOps, admin: isAdmin }

  const pages: SpotlightActionData[] = [
    ...(app
      ? appPages.map(({ to, name, icon: Icon }) => ({
          id: to,
          label: name,
          description: app.name,
          leftSection: <Icon size={16} aria-hidden />,
          onClick: () => void navigate({ to, params: { appId: app.id } }),
        }))
      : []),
    ...[...placePages, ...boxPages.filter(({ isFor }) => maySee[isFor])].map(({ to, name, icon: Icon }) => ({
      id: to,
      label: name,
      leftSection: <Icon size={16} aria-hidden />,
      onClick: () => void navigate({ to }),
    })),
  ]
  const groups: SpotlightActionGroupData[] = [
    { group: messages.shell.main, actions: pages },
    {
      group: messages.shell.allApps,
      actions: (apps ?? []).map(({ id, name }) => ({
        id,
        label: name,
        leftSection: <IconApps size={16} aria-hidden />,
        onClick: () => void navigate({ to: '/apps/$appId', params: { appId: id } }),
      })),
    },
    {
      group: messages.shell.pages.players,
      actions: players.map(({ id, displayName }) => ({
        id,
        label: displayName,
        // The service already matched these, so the palette must not filter them.
        keywords: query,
        leftSection: <IconUser size={16} aria-hidden />,
        onClick: () =>
          void navigate({ to: '/apps/$appId/players/$playerId', params: { appId: app!.id, playerId: id } }),
      })),
    },
  ]
  return (
    <Spotlight
      actions={groups.filter(({ actions }) => actions.length > 0)}
      query={query}
      onQueryChange={setQuery}
      nothingFound={messages.common.noneFound}
      shortcut="mod + K"
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={16} aria-hidden />,
        placeholder: messages.shell.jump,
        'aria-label': messages.shell.jumpLabel,
      }}
    />
  )
}

/** The first players of the current app that match. */
function usePlayers(search: string) {
  const { app } = useCurrentApp()
  const cairn = useAppCairn(app)
  const { data } = useQuery({
    queryKey: ['players', app?.id, 'jump', search],
    queryFn: async ({ signal }) => (await cairn!.players.list({ search, limit: 5 }, { signal }).first()).items,
    enabled: cairn !== undefined && search.length > 1,
    placeholderData: keepPreviousData,
  })
  return (search.length > 1 && data) || []
}

import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight'
import {
  IconApps,
  IconBook,
  IconClockPlay,
  IconCube,
  IconKey,
  IconLock,
  IconMapPin,
  IconMapPinPlus,
  IconMapShare,
  IconPlus,
  IconPolygon,
  IconSearch,
  IconSquareDot,
  IconUser,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useDebounced } from '../../components/query/use-debounced.ts'
import { messages } from '../../messages/index.ts'
import { useCurrentApp } from '../current-app.tsx'
import { appPages, placePages } from '../nav-items.ts'
import { useBoxPages, useHasAccounts } from '../use-box-pages.ts'
import { useEnter } from './use-enter.ts'
import { useFound } from './use-found.ts'
import { useVerbs } from './use-verbs.tsx'
import { readVerb } from './verbs.ts'

const PLACES = { pin: IconMapPin, gcp: IconSquareDot, zone: IconPolygon }

/**
 * Ctrl K: goes to any page, app, player, session, place or file, and starts new ones. A verb before a name acts on the
 * record: "ban ada". @param asked how often it was asked for; it opens whenever this grows
 */
export function CommandPalette({ asked }: { asked: number }) {
  const [query, setQuery] = useState('')
  const navigate = useNavigate()
  const { apps, app } = useCurrentApp()
  const search = useDebounced(query)
  const found = useFound(search.trim())
  const { players, sessions, places, files } = found
  const { verb, search: object } = readVerb(search)
  const named = useFound(object)
  const acts = useVerbs({ verb, found: named, query, onQuery: setQuery })
  const onEnter = useEnter({ query, isSettled: search === query && !found.isFetching && !named.isFetching })
  useEffect(() => {
    if (asked > 0) spotlight.open()
  }, [asked])
  const boxPages = useBoxPages()
  const hasAccounts = useHasAccounts()

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
    ...[...placePages, ...boxPages].map(({ to, name, icon: Icon }) => ({
      id: to,
      label: name,
      leftSection: <Icon size={16} aria-hidden />,
      onClick: () => void navigate({ to }),
    })),
  ]
  const groups: SpotlightActionGroupData[] = [
    acts.group,
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
    {
      group: messages.shell.pages.sessions,
      actions: sessions.map(({ id, name }) => ({
        id,
        label: name ?? messages.game.sessions.unnamed,
        keywords: query,
        leftSection: <IconClockPlay size={16} aria-hidden />,
        onClick: () =>
          void navigate({ to: '/apps/$appId/sessions/$sessionId', params: { appId: app!.id, sessionId: id } }),
      })),
    },
    {
      group: messages.shell.groups.places,
      actions: places.map(({ kind, id, title }) => {
        const Icon = PLACES[kind]
        return {
          id: `${kind} ${id}`,
          label: title,
          description: messages.shell.placeKinds[kind],
          keywords: query,
          leftSection: <Icon size={16} aria-hidden />,
          onClick: () => void navigate({ to: '/map', search: { select: `${kind}:${id}` } }),
        }
      }),
    },
    {
      group: messages.shell.pages.files,
      actions: files.map(({ fileId, fileName }) => ({
        id: `file ${fileId}`,
        label: fileName,
        keywords: query,
        leftSection: <IconCube size={16} aria-hidden />,
        onClick: () => void navigate({ to: '/files/$fileId', params: { fileId: String(fileId) } }),
      })),
    },
    {
      group: messages.shell.actions,
      actions: [
        {
          id: 'new app',
          label: messages.shell.newApp,
          leftSection: <IconPlus size={16} aria-hidden />,
          onClick: () => void navigate({ to: '/welcome/$step', params: { step: 'app' } }),
        },
        {
          id: 'new pin',
          label: messages.shell.newPin,
          leftSection: <IconMapPinPlus size={16} aria-hidden />,
          onClick: () => void navigate({ to: '/map', search: { create: 'pin' } }),
        },
        {
          id: 'tokens',
          label: messages.shell.pages.tokens,
          leftSection: <IconKey size={16} aria-hidden />,
          onClick: () => void navigate({ to: '/tokens' }),
        },
        ...(hasAccounts
          ? [
              {
                id: 'password',
                label: messages.shell.pages.password,
                leftSection: <IconLock size={16} aria-hidden />,
                onClick: () => void navigate({ to: '/password' }),
              },
            ]
          : []),
        {
          id: 'shared maps',
          label: messages.shell.pages.sharedMaps,
          leftSection: <IconMapShare size={16} aria-hidden />,
          onClick: () => void navigate({ to: '/shared-maps' }),
        },
        {
          id: 'docs',
          label: messages.shell.apiDocs,
          leftSection: <IconBook size={16} aria-hidden />,
          onClick: () => location.assign('/docs/'),
        },
        ...acts.begin,
      ],
    },
  ]
  return (
    <>
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
          onKeyDownCapture: onEnter,
        }}
      />
      {acts.dialogs}
    </>
  )
}

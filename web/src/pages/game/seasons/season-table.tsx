import type { App, Cairn, Season } from '@cairn/sdk'
import { ActionIcon } from '@mantine/core'
import {
  IconClockHour4,
  IconDownload,
  IconFlag,
  IconPencil,
  IconPlayerPlay,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { saveFile } from '../../../components/copy/save-file.ts'
import { Badge } from '../../../components/data/badge.tsx'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { notifyError, notifySuccess } from '../../../components/feedback/notify.ts'
import { messages } from '../../../messages/index.ts'
import { hasRole } from '../../../session/use-app.tsx'
import { useMiniGameTypes } from '../mini-games/mini-games.tsx'
import type { OpenSeason } from './seasons.tsx'

const texts = messages.game.seasons
type Props = { app: App; cairn: Cairn; onOpen: (open: OpenSeason) => void }

/** Seasons with their periods and actions. */
export function SeasonTable({ seasons, ...rest }: Props & { seasons: Season[] }) {
  const { data: types = [] } = useMiniGameTypes(rest.app, rest.cairn)
  const nameOf = (id: string | null) => types.find((type) => type.id === id)?.name ?? messages.common.defaultGame
  return (
    <Table label={texts.title}>
      <thead>
        <tr>
          <th>{texts.name}</th>
          <th className="roomy-only">{texts.game}</th>
          <th>{texts.state}</th>
          <th className="wide-only">{texts.starts}</th>
          <th className="wide-only">{texts.ends}</th>
          <th className="roomy-only">{texts.repeats}</th>
          <th>
            <span className="visually-hidden">{texts.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {seasons.map((season) => (
          <Row key={season.id} season={season} game={nameOf(season.miniGameTypeId)} {...rest} />
        ))}
      </tbody>
    </Table>
  )
}

function Row({ app, cairn, season, game, onOpen }: Props & { season: Season; game: string }) {
  const { id, name, number, state, startsAt, endsAt, repeat, miniGameTypeId } = season
  const recount = useMutation({
    mutationFn: () => cairn.seasons.recount(id, app.id),
    onSuccess: ({ changed }) => notifySuccess(texts.recounted(changed)),
    onError: (error) => notifyError(error),
  })
  const save = () =>
    void cairn.seasons.export(id).then(
      (csv) => saveFile(csv, `${name}.csv`),
      (error: unknown) => notifyError(error, messages.common.failed),
    )
  return (
    <tr>
      <td>
        <Link
          data-row
          to="/apps/$appId/boards/$type"
          params={{ appId: app.id, type: miniGameTypeId ?? 'default' }}
          search={{ season: id }}
        >
          {name}
        </Link>
        {number > 1 && <span className="faint"> {texts.number(number)}</span>}
        <div className="tight-only faint small">
          {[game, repeat && texts.every[repeat.every]].filter(Boolean).join(' · ')}
        </div>
      </td>
      <td className="roomy-only dim">{game}</td>
      <td>
        <SeasonState state={state} />
      </td>
      <td className="wide-only wrapped dim">
        <RelativeTime at={startsAt} />
      </td>
      <td className="wide-only wrapped dim">{endsAt ? <RelativeTime at={endsAt} /> : texts.noEnd}</td>
      <td className="roomy-only dim">{repeat ? texts.every[repeat.every] : '–'}</td>
      <td>
        <span className="row" style={{ justifyContent: 'flex-end' }}>
          <ActionIcon className="wide-only" aria-label={texts.exportOf(name)} onClick={save}>
            <IconDownload size={16} aria-hidden />
          </ActionIcon>
          {hasRole(app, 'developer') && state === 'ended' && (
            <ActionIcon aria-label={texts.recountOf(name)} loading={recount.isPending} onClick={() => recount.mutate()}>
              <IconRefresh size={16} aria-hidden />
            </ActionIcon>
          )}
          {hasRole(app, 'developer') && (
            <>
              <ActionIcon aria-label={texts.editOf(name)} onClick={() => onOpen({ what: 'form', season })}>
                <IconPencil size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon aria-label={texts.deleteOf(name)} onClick={() => onOpen({ what: 'delete', season })}>
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </>
          )}
        </span>
      </td>
    </tr>
  )
}

const STATES = {
  upcoming: { tone: 'note', icon: IconClockHour4 },
  running: { tone: 'ok', icon: IconPlayerPlay },
  ended: { tone: 'plain', icon: IconFlag },
} as const

function SeasonState({ state }: Pick<Season, 'state'>) {
  const { tone, icon } = STATES[state]
  return (
    <Badge tone={tone} icon={icon}>
      {texts.states[state]}
    </Badge>
  )
}

import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight'
import { IconBan, IconCopy, IconEyeOff, IconRestore, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { DeleteDialog } from '../../components/feedback/delete-record.tsx'
import { notifyError, notifySuccess } from '../../components/feedback/notify.ts'
import { messages } from '../../messages/index.ts'
import { type StandingChange, StandingDialog } from '../../pages/game/standing/standing-dialog.tsx'
import { DeleteZoneDialog } from '../../pages/map/selection/delete-zone.tsx'
import { useCairn } from '../../session/session.tsx'
import { hasRole, useAppCairn } from '../../session/use-app.tsx'
import { useCurrentApp } from '../current-app.tsx'
import { type Deletion, useDeletions, type ZoneDeletion } from './deletions.ts'
import type { Found } from './use-found.ts'
import { VERBS, type Verb } from './verbs.ts'

const texts = messages.shell
const ICONS = { copy: IconCopy, hide: IconEyeOff, ban: IconBan, restore: IconRestore, delete: IconTrash }

type Row = { kind: string; id: string; name: string; act: () => void }
type Options = { verb: Verb | undefined; found: Found; query: string; onQuery: (query: string) => void }

/** What the palette does with records: a group of rows for the verb in the query, rows that begin one, and their dialogs. */
export function useVerbs({ verb, found, query, onQuery }: Options) {
  const { app } = useCurrentApp()
  const cairn = useCairn()
  const inApp = useAppCairn(app)
  const deletions = useDeletions()
  const [change, setChange] = useState<StandingChange>()
  const [deletion, setDeletion] = useState<Deletion>()
  const [zoneDeletion, setZoneDeletion] = useState<ZoneDeletion>()
  const mayModerate = app !== undefined && hasRole(app, 'moderator')
  const mayDevelop = app !== undefined && hasRole(app, 'developer')

  const copy = (name: string, id: string | number) => () =>
    void navigator.clipboard.writeText(String(id)).then(() => notifySuccess(texts.copiedId(name)), notifyError)
  const { players, sessions, places, files } = named(found)
  const setting = (to: StandingChange['to'], isFor: (standing: StandingChange['to']) => boolean) =>
    mayModerate
      ? players
          .filter(({ record }) => isFor(record.standing ?? 'normal'))
          .map((player): Row => ({ ...player, act: () => setChange({ players: [player.record], to }) }))
      : []
  const rows: Record<Verb, () => Row[]> = {
    copy: () =>
      [...players, ...sessions, ...places, ...files].map(({ kind, id, name }) => ({
        ...{ kind, id, name },
        act: copy(name, id),
      })),
    hide: () => setting('hidden', (standing) => standing !== 'hidden'),
    ban: () => setting('banned', (standing) => standing !== 'banned'),
    restore: () => setting('normal', (standing) => standing !== 'normal'),
    delete: () => [
      ...(app && inApp && mayModerate
        ? players.map((one) => ({ ...one, act: () => setDeletion(deletions.player(app, inApp, one)) }))
        : []),
      ...(app && inApp && mayDevelop
        ? sessions.map((one) => ({ ...one, act: () => setDeletion(deletions.session(app, inApp, one)) }))
        : []),
      ...places.map(({ record, ...one }) => ({
        ...one,
        act: () =>
          record === 'zone' ? setZoneDeletion(deletions.zone(one)) : setDeletion(deletions.place(cairn, record, one)),
      })),
      ...files.map((one) => ({ ...one, act: () => setDeletion(deletions.file(cairn, one)) })),
    ],
  }

  const group: SpotlightActionGroupData = {
    group: texts.records,
    actions: verb
      ? rows[verb]().map(({ kind, id, name, act }) => ({
          id: `${verb} ${kind} ${id}`,
          label: texts.verbs[verb].of(name),
          description: kind,
          keywords: query,
          leftSection: iconOf(verb),
          onClick: act,
        }))
      : [],
  }
  const begin: SpotlightActionData[] = VERBS.filter((one) => mayModerate || one === 'copy' || one === 'delete').map(
    (one) => ({
      id: `begin ${one}`,
      label: texts.verbs[one].start,
      leftSection: iconOf(one),
      closeSpotlightOnTrigger: false,
      onClick: () => onQuery(`${texts.verbs[one].word} `),
    }),
  )
  const dialogs: ReactNode = (
    <>
      {app && inApp && <StandingDialog app={app} cairn={inApp} change={change} onClose={() => setChange(undefined)} />}
      {deletion && (
        <DeleteDialog
          {...deletion}
          onDone={async () => {
            setDeletion(undefined)
            await deletion.onDone()
          }}
          isOpen
          onClose={() => setDeletion(undefined)}
        />
      )}
      {zoneDeletion && <DeleteZoneDialog {...zoneDeletion} isOpen onClose={() => setZoneDeletion(undefined)} />}
    </>
  )
  return { group, begin, dialogs }
}

const iconOf = (verb: Verb) => {
  const Icon = ICONS[verb]
  return <Icon size={16} aria-hidden />
}

/** The records that were found, as the palette names them. */
const named = ({ players, sessions, places, files }: Found) => ({
  players: players.map((record) => ({
    kind: texts.recordKinds.player,
    id: record.id,
    name: record.displayName,
    record,
  })),
  sessions: sessions.map(({ id, name }) => ({
    kind: texts.recordKinds.session,
    id,
    name: name ?? messages.game.sessions.unnamed,
  })),
  places: places.map(({ kind, id, title }) => ({
    kind: texts.placeKinds[kind],
    id: String(id),
    name: title,
    record: kind,
  })),
  files: files.map(({ fileId, fileName }) => ({ kind: texts.recordKinds.file, id: String(fileId), name: fileName })),
})

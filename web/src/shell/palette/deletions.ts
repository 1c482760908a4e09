import type { App, Cairn } from '@cairn/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { DeleteTexts } from '../../components/feedback/delete-record.tsx'
import { messages } from '../../messages/index.ts'

/** What a dialog needs to delete a record. */
export type Deletion = {
  name: string
  texts: DeleteTexts
  onDelete: () => Promise<unknown>
  onDone: () => Promise<unknown>
}
type Named = { id: string; name: string }
/** A zone, whose dialog also deletes what is in it. */
export type ZoneDeletion = { zone: { id: number; title: string }; onDeleted: () => void }

/** Deletions of records; a page of the deleted record gives way to its list. */
export function useDeletions() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const leave = async (id: string, list: () => Promise<void>, queryKey: string[]) => {
    if (location.pathname.endsWith(`/${id}`)) await list()
    await queries.invalidateQueries({ queryKey })
  }
  const leavePlace = async (kind: 'pin' | 'gcp' | 'zone', id: string) => {
    if (new URLSearchParams(location.search).get('select') === `${kind}:${id}`)
      await navigate({ to: '/map', search: {} })
    const shown = ['map', 'tag-conflicts', 'places', 'zones']
    await Promise.all(shown.map((key) => queries.invalidateQueries({ queryKey: [key] })))
  }
  return {
    player: (app: App, cairn: Cairn, { id, name }: Named): Deletion => ({
      name,
      texts: messages.shell.deletePlayer,
      onDelete: () => cairn.players.delete(id),
      onDone: () =>
        leave(id, () => navigate({ to: '/apps/$appId/players', params: { appId: app.id } }), ['players', app.id]),
    }),
    session: (app: App, cairn: Cairn, { id, name }: Named): Deletion => ({
      name,
      texts: messages.shell.deleteSession,
      onDelete: () => cairn.gameSessions.delete(id),
      onDone: () =>
        leave(id, () => navigate({ to: '/apps/$appId/sessions', params: { appId: app.id } }), ['sessions', app.id]),
    }),
    file: (cairn: Cairn, { id, name }: Named): Deletion => ({
      name,
      texts: messages.files.remove,
      onDelete: () => cairn.files.delete(Number(id)),
      onDone: () => leave(id, () => navigate({ to: '/files' }), ['files']),
    }),
    place: (cairn: Cairn, kind: 'pin' | 'gcp', { id, name }: Named): Deletion => ({
      name,
      texts: kind === 'pin' ? messages.shell.deletePin : messages.shell.deleteGcp,
      onDelete: () => (kind === 'pin' ? cairn.pins : cairn.gcps).delete(Number(id)),
      onDone: () => leavePlace(kind, id),
    }),
    zone: ({ id, name }: Named): ZoneDeletion => ({
      zone: { id: Number(id), title: name },
      onDeleted: () => void leavePlace('zone', id),
    }),
  }
}

import type { App, Cairn, Player } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { formatBytes } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { MakeButton, NeedsRole } from '../../../components/layout/make-button.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../../components/query/paged-list.tsx'
import { messages } from '../../../messages/index.ts'
import { hasRole } from '../../../session/use-app.tsx'
import { StorageKeyDialog } from './storage-key-dialog.tsx'

const texts = messages.game.data

/** The keys that the game keeps for a player. One opens in a dialog, to see and edit its value. */
export function PlayerData({ app, cairn, player }: { app: App; cairn: Cairn; player: Player }) {
  const list = usePagedList(['player', player.id, 'storage'], () => cairn.playerData.keys(player.id, { limit: 50 }))
  /** The key that is open; empty for a new one. */
  const [open, setOpen] = useState<string>()
  const add = hasRole(app, 'developer') && (
    <MakeButton isSmall onClick={() => setOpen('')}>
      {texts.add}
    </MakeButton>
  )
  return (
    <Panel flush title={texts.title} actions={add}>
      <PagedListView
        list={list}
        rows={2}
        empty={<EmptyState title={texts.none} action={add || <NeedsRole least="developer" />} />}
      >
        {(keys) => (
          <Table label={texts.title}>
            <thead>
              <tr>
                <th>{texts.key}</th>
                <th className="num">{texts.size}</th>
                <th className="wide-only">{texts.updated}</th>
                <th />
              </tr>
            </thead>
            <tbody>
              {keys.map(({ key, size, updatedAt }) => (
                <tr key={key}>
                  <td className="mono">{key}</td>
                  <td className="num">{formatBytes(size)}</td>
                  <td className="wide-only dim">
                    <RelativeTime at={updatedAt} />
                  </td>
                  <td className="num">
                    <Button size="xs" aria-label={texts.openOne(key)} onClick={() => setOpen(key)}>
                      {texts.open}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </PagedListView>
      <StorageKeyDialog cairn={cairn} player={player} storageKey={open} onClose={() => setOpen(undefined)} />
    </Panel>
  )
}

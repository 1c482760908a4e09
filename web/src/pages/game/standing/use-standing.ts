import type { App, Cairn, Player } from '@cairn/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { notifyError } from '../../../components/feedback/notify.ts'
import { offerUndo } from '../../../components/feedback/undo.tsx'
import { messages } from '../../../messages/index.ts'

const texts = messages.game.standing
export type Standing = NonNullable<Player['standing']>
type Held = { id: string; standing: Standing; note: string | null }

/** Sets the standing of players, then offers to undo it. */
export function useStanding(app: App, cairn: Cairn) {
  const queries = useQueryClient()
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['players', app.id] }),
      queries.invalidateQueries({ queryKey: ['player'] }),
    ])
  const write = async (changes: Held[]) => {
    try {
      for (const { id, standing, note } of changes)
        await cairn.players.update(id, { standing, ...(standing === 'normal' ? {} : { standingNote: note }) })
    } finally {
      // If one fails, those before it are changed.
      await refresh()
    }
  }
  return async (players: Player[], standing: Standing, note: string | null): Promise<void> => {
    const before = players.map((player) => ({
      id: player.id,
      standing: player.standing ?? 'normal',
      note: player.standingNote ?? null,
    }))
    await write(before.map(({ id }) => ({ id, standing, note })))
    const who = players.length === 1 ? players[0]!.displayName : texts.players(players.length)
    offerUndo(texts.done[standing](who), () => void write(before).catch((error) => notifyError(error)))
  }
}

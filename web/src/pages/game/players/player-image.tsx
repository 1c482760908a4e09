import type { Cairn, Player } from '@cairn/sdk'
import { Button, FileButton } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { isSameOrigin } from '../../../components/data/same-origin.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { messages } from '../../../messages/index.ts'

const texts = messages.game.player

/** Shows, replaces and removes a player's image. */
export function PlayerImage({ cairn, player }: { cairn: Cairn; player: Player }) {
  const queries = useQueryClient()
  const onSuccess = async () => {
    await queries.invalidateQueries({ queryKey: ['player', player.id] })
    await queries.invalidateQueries({ queryKey: ['players'] })
  }
  const set = useMutation({ mutationFn: (image: Blob) => cairn.players.setImage(player.id, image), onSuccess })
  const remove = useMutation({ mutationFn: () => cairn.players.removeImage(player.id), onSuccess })
  const error = set.error ?? remove.error
  return (
    <Panel title={texts.image}>
      <div className="stack">
        {player.imageUrl &&
          (isSameOrigin(player.imageUrl) ? (
            <img src={player.imageUrl} alt={texts.imageOf(player.displayName)} width="100%" />
          ) : (
            <a href={player.imageUrl} rel="noreferrer" target="_blank">
              {player.imageUrl}
            </a>
          ))}
        <p className="faint small">{texts.imageHelp}</p>
        {error && <Failure error={error} title={messages.common.notSaved} />}
        <div className="row wrap">
          <FileButton
            accept="image/jpeg,image/png,image/gif,image/webp"
            inputProps={{ 'aria-label': texts.setImage }}
            onChange={(file) => file && set.mutate(file)}
          >
            {(props) => (
              <Button {...props} loading={set.isPending}>
                {texts.setImage}
              </Button>
            )}
          </FileButton>
          {player.imageUrl && (
            <Button onClick={() => remove.mutate()} loading={remove.isPending}>
              {texts.removeImage}
            </Button>
          )}
        </div>
      </div>
    </Panel>
  )
}

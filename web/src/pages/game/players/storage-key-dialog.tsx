import type { Cairn, Player } from '@cairn/sdk'
import { Button, Modal, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { JsonEditor } from '../../../components/data/json-editor.tsx'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { notifyError, notifySuccess } from '../../../components/feedback/notify.ts'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'

const texts = messages.game.data
type Of = { cairn: Cairn; player: Player; onClose: () => void }

/** Shows, edits and deletes the value of a key. @property storageKey undefined while closed, empty for a new key */
export function StorageKeyDialog({ storageKey, ...rest }: Of & { storageKey: string | undefined }) {
  return (
    <Modal
      opened={storageKey !== undefined}
      onClose={rest.onClose}
      title={storageKey === '' ? texts.add : storageKey}
      size="lg"
    >
      {storageKey === '' ? <NewKey {...rest} /> : storageKey && <Known {...rest} storageKey={storageKey} />}
    </Modal>
  )
}

function useDone({ player, onClose }: Of) {
  const queries = useQueryClient()
  return async (says: string) => {
    notifySuccess(says)
    onClose()
    await queries.invalidateQueries({ queryKey: ['player', player.id, 'storage'] })
  }
}

function NewKey(props: Of) {
  const { cairn, player, onClose } = props
  const done = useDone(props)
  const [key, setKey] = useState('')
  return (
    <div className="stack">
      <TextInput
        data-autofocus
        required
        label={texts.key}
        description={texts.keyHelp}
        value={key}
        onChange={({ currentTarget }) => setKey(currentTarget.value)}
      />
      <JsonEditor
        label={texts.value}
        value={{}}
        saveLabel={texts.save}
        onCancel={onClose}
        onSave={async (value) => {
          await cairn.playerData.set(player.id, key, value, { ifNoneMatch: '*' })
          await done(texts.saved(key))
        }}
      />
    </div>
  )
}

function Known({ storageKey, ...props }: Of & { storageKey: string }) {
  const { cairn, player, onClose } = props
  const done = useDone(props)
  const [isAsked, setIsAsked] = useState(false)
  const query = useQuery({
    queryKey: ['player', player.id, 'storage', 'value', storageKey],
    queryFn: ({ signal }) => cairn.playerData.get(player.id, storageKey, { signal }),
    // The editor must begin with the current value.
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const remove = async () => {
    try {
      await cairn.playerData.delete(player.id, storageKey)
      await done(texts.deleted(storageKey))
    } catch (error) {
      notifyError(error)
    }
  }
  return (
    <div className="stack">
      <QueryResult query={query}>
        {({ value, etag }) => (
          <JsonEditor
            key={etag}
            label={texts.value}
            value={value}
            saveLabel={texts.save}
            onCancel={onClose}
            onSave={async (changed) => {
              await cairn.playerData.set(player.id, storageKey, changed, { ifMatch: etag })
              await done(texts.saved(storageKey))
            }}
          />
        )}
      </QueryResult>
      <div>
        <Button onClick={() => setIsAsked(true)}>{texts.delete}</Button>
      </div>
      <Confirm
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title={texts.deleteTitle(storageKey)}
        verb={texts.deleteVerb}
        onConfirm={remove}
      >
        <p className="dim">{texts.deleteText}</p>
      </Confirm>
    </div>
  )
}

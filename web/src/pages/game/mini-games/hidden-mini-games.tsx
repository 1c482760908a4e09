import type { App, Cairn, MiniGameType } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Table } from '../../../components/data/table.tsx'
import { notifyError } from '../../../components/feedback/notify.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { messages } from '../../../messages/index.ts'

const texts = messages.game.types
type Props = { app: App; cairn: Cairn }

/** Hidden mini games, with a button to show them again. Renders nothing if there are none. */
export function HiddenMiniGames({ app, cairn }: Props) {
  const { data: types = [] } = useQuery({
    queryKey: ['types', app.id, 'hidden'],
    queryFn: ({ signal }) => cairn.miniGameTypes.list({ hidden: true }, { signal }).all(),
  })
  if (types.length === 0) return null
  return (
    <Panel flush title={texts.hidden}>
      <Table label={texts.hidden}>
        <thead className="visually-hidden">
          <tr>
            <th>{texts.name}</th>
            <th>{texts.restore}</th>
          </tr>
        </thead>
        <tbody>
          {types.map((type) => (
            <Row key={type.id} app={app} cairn={cairn} type={type} />
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}

function Row({ app, cairn, type }: Props & { type: MiniGameType }) {
  const queries = useQueryClient()
  const restore = useMutation({
    mutationFn: () => cairn.miniGameTypes.restore(type.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['types', app.id] }),
    onError: (error) => notifyError(error, texts.notRestored(type.name)),
  })
  return (
    <tr>
      <td>
        <span className="strong">{type.name}</span>
        {type.description && <div className="dim small">{type.description}</div>}
      </td>
      <td className="num">
        <Button
          size="xs"
          aria-label={texts.restoreOne(type.name)}
          leftSection={<IconEye size={14} aria-hidden />}
          loading={restore.isPending}
          onClick={() => restore.mutate()}
        >
          {texts.restore}
        </Button>
      </td>
    </tr>
  )
}

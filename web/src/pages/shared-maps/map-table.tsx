import type { SharedMap } from '@cairn/sdk'
import { ActionIcon, Button, Group, Modal } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CodeBlock } from '../../components/copy/code-block.tsx'
import { CopyButton } from '../../components/copy/copy-button.tsx'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { Table } from '../../components/data/table.tsx'
import { DeleteRecord } from '../../components/feedback/delete-record.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import { MAPS_KEY } from './maps-key.ts'

const texts = messages.sharedMaps
type Props = { maps: SharedMap[]; onEdit: (map: SharedMap) => void }

/** Shared maps with their links. */
export function MapTable({ maps, onEdit }: Props) {
  const [embedded, setEmbedded] = useState<SharedMap>()
  return (
    <>
      <Table label={texts.list}>
        <thead>
          <tr>
            <th>{texts.name}</th>
            <th className="wide-only">{texts.content}</th>
            <th className="wide-only">{texts.changed}</th>
            <th>
              <span className="visually-hidden">{texts.embed}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {maps.map((map) => (
            <tr key={map.id}>
              <td>
                <span className="row">
                  <a
                    className="strong"
                    href={map.url}
                    target="_blank"
                    rel="noreferrer"
                    aria-label={texts.open(map.title)}
                  >
                    {map.title}
                  </a>
                  <CopyButton value={map.url} what={`${texts.link} ${map.title}`} />
                </span>
              </td>
              <td className="wide-only dim">
                {texts.counts(map.zoneIds.length, map.pinIds.length, map.boards.length)}
              </td>
              <td className="wide-only dim">
                <RelativeTime at={map.updatedAt} />
              </td>
              <td className="num">
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  <Button size="xs" aria-label={texts.embedOf(map.title)} onClick={() => setEmbedded(map)}>
                    {texts.embed}
                  </Button>
                  <ActionIcon aria-label={texts.edit(map.title)} onClick={() => onEdit(map)}>
                    <IconPencil size={16} aria-hidden />
                  </ActionIcon>
                </Group>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Modal
        opened={embedded !== undefined}
        onClose={() => setEmbedded(undefined)}
        title={texts.embedTitle(embedded?.title ?? '')}
      >
        {embedded && (
          <div className="stack">
            <p className="dim">{texts.embedText}</p>
            <CodeBlock text={embedCodeOf(embedded)} what={texts.embedCode} />
          </div>
        )}
      </Modal>
    </>
  )
}

/** The HTML that shows a map in another page. */
function embedCodeOf({ url, title }: SharedMap): string {
  const name = title.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return `<iframe src="${url}" title="${name}" width="100%" height="480" loading="lazy"></iframe>`
}

/** A button that deletes a map after a confirmation. */
export function DeleteMap({ map, onDone }: { map: SharedMap; onDone: () => void }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  return (
    <DeleteRecord
      name={map.title}
      texts={texts.removal}
      onDelete={() => cairn.sharedMaps.delete(map.id)}
      onDone={async () => {
        await queries.invalidateQueries({ queryKey: MAPS_KEY })
        onDone()
      }}
    />
  )
}

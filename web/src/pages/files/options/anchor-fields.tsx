import { Group, NumberInput, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { choices, type Fields } from './fields.ts'

const texts = messages.files.options

type Props = { fields: Fields; set: (change: Partial<Fields>) => void; wrong: Partial<Record<string, string>> }

/** Where AR viewers place the model, and what that place needs. */
export function AnchorFields({ fields, set, wrong }: Props) {
  return (
    <>
      <Group grow gap={12} align="start">
        <Select
          label={texts.anchor}
          data={choices(texts.anchors)}
          value={fields.anchor}
          onChange={(anchor) => set({ anchor: anchor as Fields['anchor'] })}
          allowDeselect={false}
        />
        {fields.anchor === 'plane' && (
          <Select
            label={texts.alignment}
            data={choices(texts.alignments)}
            value={fields.alignment}
            error={wrong.alignment}
            onChange={(alignment) => set({ alignment: alignment as Fields['alignment'] })}
            allowDeselect={false}
          />
        )}
      </Group>
      {fields.anchor === 'image' && (
        <Group grow gap={12} align="start">
          <ImageSelect fields={fields} set={set} wrong={wrong} />
          <NumberInput
            label={texts.anchorWidth}
            description={texts.anchorWidthHelp}
            value={fields.anchorWidth}
            error={wrong.anchorWidth}
            onChange={(anchorWidth) => set({ anchorWidth })}
            hideControls
          />
        </Group>
      )}
    </>
  )
}

/** The newest images of the user that viewers can look for. */
function ImageSelect({ fields, set, wrong }: Props) {
  const cairn = useCairn()
  const images = useQuery({
    queryKey: ['files', 'image', 'anchors'],
    queryFn: async ({ signal }) => (await cairn.files.list({ kind: 'image', limit: 100 }, { signal }).first()).items,
  })
  const data = (images.data ?? [])
    .filter(({ contentType }) => contentType === 'image/jpeg' || contentType === 'image/png')
    .map(({ fileId, fileName }) => ({ value: String(fileId), label: fileName }))
  return (
    <Select
      label={texts.anchorImage}
      description={texts.anchorImageHelp}
      data={data}
      value={fields.anchorImageId}
      error={wrong.anchorImageId}
      onChange={(anchorImageId) => set({ anchorImageId })}
      nothingFoundMessage={texts.noImages}
      searchable
    />
  )
}

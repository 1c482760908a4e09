import type { SharedMap } from '@cairn/sdk'
import { Checkbox, Modal, MultiSelect, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormActions } from '../../components/feedback/form-actions.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { useForm } from '../../components/feedback/use-form.ts'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import { boardKey, boardOfKey, useBoardChoices } from './board-choices.ts'
import { DeleteMap } from './map-table.tsx'
import { MAPS_KEY } from './maps-key.ts'

const texts = messages.sharedMaps
type Props = { map: SharedMap | undefined; onClose: () => void }

/** Creates a shared map, or changes one. */
export function MapForm({ isOpen, map, onClose }: Props & { isOpen: boolean }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={map ? texts.change(map.title) : texts.new}>
      <Form key={map?.id ?? 'new'} map={map} onClose={onClose} />
    </Modal>
  )
}

function Form({ map, onClose }: Props) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const [fields, setFields] = useState({
    title: map?.title ?? '',
    description: map?.description ?? '',
    zones: map?.zoneIds.map(String) ?? [],
    pinsInZones: map?.pinsInZones ?? true,
    pins: map?.pinIds.map(String) ?? [],
    boards: map?.boards.map(boardKey) ?? [],
  })
  const set = (change: Partial<typeof fields>) => setFields({ ...fields, ...change })
  const boards = useBoardChoices()
  const { data: zones = [] } = useQuery({
    queryKey: ['zones', 'pick'],
    queryFn: async ({ signal }) => (await cairn.zones.list({ limit: 500 }, { signal }).first()).items,
  })
  const save = useMutation({
    mutationFn: () => {
      const body = {
        title: fields.title,
        description: fields.description || null,
        zoneIds: fields.zones.map(Number),
        pinsInZones: fields.pinsInZones,
        pinIds: fields.pins.map(Number),
        boards: fields.boards.map(boardOfKey),
      }
      return map ? cairn.sharedMaps.update(map.id, body) : cairn.sharedMaps.create(body)
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: MAPS_KEY })
      onClose()
    },
  })
  const wrongId = fields.pins.find((id) => !/^\d{1,15}$/.test(id))
  const { form, wrong, rest } = useForm(save, ['title', 'description', 'zoneIds', 'pinIds', 'boards'])
  return (
    <form className="stack" {...form} noValidate>
      {rest && <Notice tone="err" title={rest} />}
      <TextInput
        data-autofocus
        required
        label={texts.name}
        value={fields.title}
        error={wrong.title}
        onChange={({ currentTarget: { value } }) => set({ title: value })}
      />
      <Textarea
        label={texts.description}
        description={texts.descriptionHint}
        value={fields.description}
        error={wrong.description}
        onChange={({ currentTarget: { value } }) => set({ description: value })}
      />
      <MultiSelect
        searchable
        label={texts.zones}
        description={texts.zonesHint}
        maxValues={10}
        data={zones.map(({ id, title }) => ({ value: String(id), label: title }))}
        value={fields.zones}
        error={wrong.zoneIds}
        onChange={(chosen) => set({ zones: chosen })}
      />
      <Checkbox
        label={texts.pinsInZones}
        checked={fields.pinsInZones}
        onChange={({ currentTarget: { checked } }) => set({ pinsInZones: checked })}
      />
      <TagsInput
        label={texts.pins}
        description={texts.pinsHint}
        maxTags={200}
        value={fields.pins}
        error={wrong.pinIds ?? (wrongId && texts.notAnId(wrongId))}
        onChange={(pins) => set({ pins })}
      />
      <MultiSelect
        searchable
        label={texts.boards}
        description={texts.boardsHint}
        maxValues={4}
        data={boards}
        value={fields.boards}
        error={wrong.boards}
        onChange={(chosen) => set({ boards: chosen })}
      />
      {map && <DeleteMap map={map} onDone={onClose} />}
      <FormActions submitLabel={map ? texts.save : texts.create} isBusy={save.isPending} onCancel={onClose} />
    </form>
  )
}

import { CairnError, type Zone } from '@cairn/sdk'
import { Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Place } from '../../map/geodesic.ts'
import { fieldErrors } from '../../parts/field-errors.ts'
import { Notice } from '../../parts/notice.tsx'
import { useCairn } from '../../session/session.tsx'
import { words } from '../../words/index.ts'
import { FormFrame } from './form-frame.tsx'
import { cornersIn } from './place-text.ts'

const texts = words.map.form

type Props = {
  zone: Zone | null
  /** The corners as they are written, a line each. */
  corners: string
  onCorners: (text: string) => void
  onSaved: (id: number) => void
  onCancel: () => void
}

/** A zone that is drawn (`zone` is null) or changed. Its corners are moved on the map, and written here. */
export function ZoneForm({ zone, corners, onCorners, onSaved, onCancel }: Props) {
  const cairn = useCairn()
  const [title, setTitle] = useState(zone?.title ?? '')
  const [description, setDescription] = useState(zone?.description ?? '')
  const isSimple = hasOneRing(zone)
  const save = useMutation({
    mutationFn: () => {
      const body = { title, description: description || null }
      const boundary = isSimple ? { boundary: boundaryIn(corners) } : {}
      return zone ? cairn.zones.update(zone.id, { ...body, ...boundary }) : cairn.zones.create({ ...body, ...boundary })
    },
    onSuccess: ({ id }) => onSaved(id),
  })
  const errors = fieldErrors(save.error)
  const { wrongLine } = cornersIn(corners)
  return (
    <FormFrame
      title={zone ? texts.editZone : texts.newZone}
      verb={zone ? words.states.save : texts.addZone}
      error={save.error}
      fields={['title', 'description', 'boundary']}
      isBusy={save.isPending}
      onSubmit={() => save.mutate()}
      onCancel={onCancel}
    >
      <TextInput
        label={texts.title}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        error={errors.title}
      />
      <Textarea
        label={texts.description}
        autosize
        minRows={2}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        error={errors.description}
      />
      {isSimple ? (
        <Textarea
          label={texts.corners}
          description={texts.cornersHow}
          placeholder={texts.cornersExample}
          classNames={{ input: 'mono' }}
          autosize
          minRows={5}
          maxRows={14}
          value={corners}
          onChange={(event) => onCorners(event.currentTarget.value)}
          error={wrongLine === null ? errors.boundary : texts.cornerWrong(wrongLine)}
        />
      ) : (
        <Notice tone="note">{texts.manyRings}</Notice>
      )}
    </FormFrame>
  )
}

/** Whether its corners are one ring, which can be edited here. */
const hasOneRing = (zone: Zone | null): boolean =>
  !zone?.boundary || (zone.boundary.type === 'Polygon' && zone.boundary.coordinates.length === 1)

/** The corners of such a zone, without the last one, which is the first again. */
export function cornersOfZone(zone: Zone | null): Place[] {
  if (zone?.boundary?.type !== 'Polygon' || !hasOneRing(zone)) return []
  return zone.boundary.coordinates[0]!.slice(0, -1).map(([lon, lat]) => ({ lat: lat!, lon: lon! }))
}

/** @throws CairnError for a line that is no place */
function boundaryIn(text: string) {
  const { corners, wrongLine } = cornersIn(text)
  const issue = (message: string) => new CairnError(400, [{ code: 'custom', message, path: ['boundary'] }])
  if (wrongLine !== null) throw issue(texts.cornerWrong(wrongLine))
  if (corners.length === 0) return null
  if (corners.length < 3) throw issue(texts.fewCorners)
  const ring = [...corners, corners[0]!].map(({ lat, lon }) => [lon, lat])
  return { type: 'Polygon' as const, coordinates: [ring] }
}

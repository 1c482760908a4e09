import { CairnError, type NewPinInput, type Pin, type Zone } from '@cairn/sdk'
import { Select, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors } from '../../../components/feedback/field-errors.ts'
import type { Place } from '../../../map/geodesic.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { TitleField, ZoneField } from './common-fields.tsx'
import { CoordinatesField } from './coordinates-field.tsx'
import { EditorForm } from './editor-form.tsx'
import { parsePose, poseToText } from './pose.ts'
import { PoseFields } from './pose-fields.tsx'

const texts = messages.map.form
const FIELDS = ['title', 'contentType', 'contentUrl', 'latitude', 'longitude', 'geoPose', 'zoneId', 'visibility']

export type FormProps = {
  place: Place | null
  onPlace: (place: Place) => void
  /** Called with the yaw in the form, or null. */
  onYaw: (yaw: number | null) => void
  zones: Zone[]
  onSaved: (id: number) => void
  onCancel: () => void
}

/** Creates (`pin` is null) or edits a pin. */
export function PinForm({ pin, place, onPlace, onYaw, zones, onSaved, onCancel }: FormProps & { pin: Pin | null }) {
  const cairn = useCairn()
  const [title, setTitle] = useState(pin?.title ?? '')
  const [contentType, setContentType] = useState<NewPinInput['contentType']>(pin?.contentType ?? 'TEXT')
  const [contentUrl, setContentUrl] = useState(pin?.contentUrl ?? '')
  const [visibility, setVisibility] = useState<Pin['visibility']>(pin?.visibility ?? 'public')
  const [zoneId, setZoneId] = useState<string | null>(pin?.zoneId == null ? null : String(pin.zoneId))
  const [pose, setPose] = useState(() => poseToText(pin?.geoPose))
  const save = useMutation({
    mutationFn: () => {
      if (!place) throw new CairnError(400, [{ code: 'custom', message: texts.placeMissing, path: ['latitude'] }])
      const geoPose = parsePose(pose, place)
      const body = {
        ...{ title, contentType, visibility, contentUrl: contentUrl || null },
        zoneId: zoneId === null ? null : Number(zoneId),
        ...(geoPose ? { geoPose } : { latitude: place.lat, longitude: place.lon, ...(pin ? { geoPose: null } : {}) }),
      }
      return pin ? cairn.pins.update(pin.id, body) : cairn.pins.create(body)
    },
    onSuccess: ({ id }) => onSaved(id),
  })
  const errors = fieldErrors(save.error)
  const options = Object.entries(messages.map.contents).map(([value, label]) => ({ value, label }))
  return (
    <EditorForm
      title={pin ? texts.editPin : texts.newPin}
      verb={pin ? messages.common.save : texts.addPin}
      error={save.error}
      fields={FIELDS}
      isBusy={save.isPending}
      onSubmit={() => save.mutate()}
      onCancel={onCancel}
    >
      <TitleField value={title} onChange={setTitle} error={errors.title} />
      <CoordinatesField
        label={texts.place}
        place={place}
        onPlace={onPlace}
        error={errors.latitude ?? errors.longitude}
      />
      <p className="faint small">{texts.placeHow}</p>
      <Select
        label={texts.content}
        data={options}
        value={contentType}
        onChange={(value) => value && setContentType(value as NewPinInput['contentType'])}
        allowDeselect={false}
        error={errors.contentType}
      />
      <TextInput
        label={texts.address}
        value={contentUrl}
        onChange={(event) => setContentUrl(event.currentTarget.value)}
        error={errors.contentUrl}
      />
      <Select
        label={texts.visibility}
        data={Object.entries(messages.map.visibilities).map(([value, label]) => ({ value, label }))}
        value={visibility}
        onChange={(value) => value && setVisibility(value as Pin['visibility'])}
        allowDeselect={false}
        error={errors.visibility}
      />
      <ZoneField zones={zones} value={zoneId} onChange={setZoneId} error={errors.zoneId} />
      <PoseFields
        pose={pose}
        onPose={setPose}
        onYaw={onYaw}
        heightLabel={messages.map.pose.height}
        error={errors.geoPose}
      />
    </EditorForm>
  )
}

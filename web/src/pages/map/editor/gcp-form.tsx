import { CairnError, type Gcp } from '@cairn/sdk'
import { Button, NumberInput, SegmentedControl, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors } from '../../../components/feedback/field-errors.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { DescriptionField, TitleField, ZoneField } from './common-fields.tsx'
import { CoordinatesField } from './coordinates-field.tsx'
import classes from './editor.module.css'
import { EditorForm } from './editor-form.tsx'
import { heightsFromForm } from './gcp-heights.ts'
import type { FormProps } from './pin-form.tsx'
import { anglesOf, type PoseInput, parseNumberOr, poseToText, type TagInput, tagOf, tagToText } from './pose.ts'
import { PoseFields, TagPoseFields } from './pose-fields.tsx'

const texts = messages.map.form
const FIELDS = [
  'title',
  'description',
  'aprilTagId',
  'tagSize',
  'tagPose',
  'geoPose',
  'altitude',
  'heightDatum',
  'zoneId',
]
const MAX_TAG = 50

/** Creates (`gcp` is null) or edits a control point. */
export function GcpForm({ gcp, place, onPlace, onYaw, zones, onSaved, onCancel }: FormProps & { gcp: Gcp | null }) {
  const cairn = useCairn()
  const [title, setTitle] = useState(gcp?.title ?? '')
  const [description, setDescription] = useState(gcp?.description ?? '')
  const [gcpType, setGcpType] = useState<Gcp['gcpType']>(gcp?.gcpType ?? 'SINGLE')
  const [tag, setTag] = useState<number | string>(gcp?.aprilTagId ?? '')
  const [placed, setPlaced] = useState<TagInput>(() => tagToText(gcp))
  const [zoneId, setZoneId] = useState<string | null>(null)
  const [pose, setPose] = useState<PoseInput>(() => poseToText(gcp?.pin?.geoPose))
  const [altitude, setAltitude] = useState<number | string>(gcp?.altitude ?? '')
  const [heightDatum, setHeightDatum] = useState(gcp?.heightDatum ?? '')
  const aprilTagId = parseNumberOr(tag, null)

  const save = useMutation({
    mutationFn: async () => {
      const heights = heightsFromForm(gcp, {
        ...{ place, angles: anglesOf(pose), h: parseNumberOr(pose.height, null) },
        ...{ altitude: parseNumberOr(altitude, null), heightDatum: heightDatum.trim() || null },
      })
      const body = {
        title,
        description: description || null,
        aprilTagId,
        ...(aprilTagId === null ? {} : tagOf(placed)),
        ...heights,
      }
      if (gcp) return (await cairn.gcps.update(gcp.id, body)).gcp
      return (await cairn.gcps.create({ ...body, gcpType, zoneId: zoneId === null ? null : Number(zoneId) })).gcp
    },
    onSuccess: ({ id }) => onSaved(id),
  })
  const free = useQuery({
    queryKey: ['map', 'free-tags', gcp?.id, aprilTagId, place],
    queryFn: ({ signal }) =>
      cairn.gcps.checkAprilTag(
        {
          aprilTagId: aprilTagId!,
          ...(place ? { latitude: place.lat, longitude: place.lon } : {}),
          ...(gcp ? { excludeGcpId: gcp.id } : {}),
        },
        { signal },
      ),
    enabled: aprilTagId !== null && aprilTagId >= 0 && aprilTagId <= MAX_TAG,
  })
  const errors = fieldErrors(save.error)
  const heightError =
    save.error instanceof CairnError && save.error.issues.find(({ path }) => path.includes('h'))?.message
  const isTaken = free.data?.available === false
  return (
    <EditorForm
      title={gcp ? texts.editGcp : texts.newGcp}
      verb={gcp ? messages.common.save : texts.addGcp}
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
        error={heightError ? undefined : errors.geoPose}
      />
      <p className="faint small">{texts.placeHow}</p>
      <NumberInput
        label={texts.tag}
        description={texts.tagHow}
        value={tag}
        onChange={setTag}
        allowDecimal={false}
        hideControls
        error={errors.aprilTagId ?? (isTaken ? texts.tagTaken : undefined)}
      />
      {isTaken && free.data && free.data.suggestedIds.length > 0 && (
        <fieldset className={classes.choices} aria-label={texts.freeTags}>
          <span className="faint small">{texts.freeTags}</span>
          {free.data.suggestedIds.map((id) => (
            <Button key={id} size="xs" onClick={() => setTag(id)}>
              {id}
            </Button>
          ))}
        </fieldset>
      )}
      {aprilTagId !== null && <TagPoseFields tag={placed} onTag={setPlaced} error={save.error} />}
      {!gcp && (
        <SegmentedControl
          aria-label={messages.map.facts.type}
          data={Object.entries(messages.map.facts.types).map(([value, label]) => ({ value, label }))}
          value={gcpType}
          onChange={(value) => setGcpType(value as Gcp['gcpType'])}
        />
      )}
      <DescriptionField value={description} onChange={setDescription} error={errors.description} />
      {!gcp && <ZoneField zones={zones} value={zoneId} onChange={setZoneId} error={errors.zoneId} />}
      <PoseFields
        pose={pose}
        onPose={setPose}
        onYaw={onYaw}
        heightLabel={messages.map.pose.height}
        error={heightError || undefined}
      />
      <NumberInput
        label={messages.map.pose.altitude}
        description={messages.map.pose.altitudeHow}
        value={altitude}
        onChange={setAltitude}
        hideControls
        decimalScale={4}
        rightSection={<span className="faint">m</span>}
        error={errors.altitude}
      />
      <TextInput
        label={messages.map.pose.datum}
        description={messages.map.pose.datumHow}
        value={heightDatum}
        onChange={(event) => setHeightDatum(event.currentTarget.value)}
        error={errors.heightDatum}
      />
    </EditorForm>
  )
}

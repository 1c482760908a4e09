import { CairnError, type Zone } from '@cairn/sdk'
import { Button, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors } from '../../../components/feedback/field-errors.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { boundaryOf, firstShortRing, formatBoundary, lineAt, type Ring } from './boundary-text.ts'
import { DescriptionField, TitleField } from './common-fields.tsx'
import classes from './editor.module.css'
import { EditorForm } from './editor-form.tsx'
import type { BoundaryState } from './use-boundary.ts'

const texts = messages.map.form

type Props = {
  zone: Zone | null
  boundary: BoundaryState
  onSaved: (id: number) => void
  onCancel: () => void
}

/** Creates (`zone` is null) or edits a zone. Corners can be edited on the map and as text. */
export function ZoneForm({ zone, boundary, onSaved, onCancel }: Props) {
  const cairn = useCairn()
  const [title, setTitle] = useState(zone?.title ?? '')
  const [description, setDescription] = useState(zone?.description ?? '')
  const { text, wrongLine } = boundary
  const save = useMutation({
    // Errors refer to the boundary as it was sent.
    mutationFn: async (sent: BoundaryState) => {
      const isSame = zone !== null && sent.text === formatBoundary(zone.boundary)
      const body = { title, description: description || null, ...(isSame ? {} : { boundary: boundaryIn(sent) }) }
      return zone ? cairn.zones.update(zone.id, body) : cairn.zones.create(body)
    },
    onSuccess: ({ id }) => onSaved(id),
  })
  const errors = fieldErrors(save.error)
  const refusal = boundaryError(save.error, save.variables?.rings)
  return (
    <EditorForm
      title={zone ? texts.editZone : texts.newZone}
      verb={zone ? messages.common.save : texts.addZone}
      error={save.error}
      fields={['title', 'description', 'boundary']}
      isBusy={save.isPending}
      onSubmit={() => save.mutate(boundary)}
      onCancel={onCancel}
    >
      <TitleField value={title} onChange={setTitle} error={errors.title} />
      <DescriptionField value={description} onChange={setDescription} error={errors.description} />
      <Textarea
        label={texts.corners}
        description={texts.cornersHow}
        placeholder={texts.cornersExample}
        classNames={{ input: 'mono' }}
        autosize
        minRows={5}
        maxRows={14}
        value={text}
        onChange={(event) => boundary.write(event.currentTarget.value)}
        onSelect={({ currentTarget: { value, selectionStart } }) =>
          boundary.touchLine(value.slice(0, selectionStart).split('\n').length - 1)
        }
        error={wrongLine === null ? refusal : texts.cornerWrong(wrongLine + 1)}
      />
      <div className={classes.choices}>
        <Button size="xs" disabled={!boundary.canBegin} onClick={() => boundary.begin('hole')}>
          {texts.addHole}
        </Button>
        <Button size="xs" disabled={!boundary.canBegin} onClick={() => boundary.begin('area')}>
          {texts.addArea}
        </Button>
        <Button size="xs" disabled={!boundary.canRemove} onClick={boundary.removeLast}>
          {texts.removeCorner}
        </Button>
      </div>
    </EditorForm>
  )
}

/** @throws CairnError if the boundary is invalid */
function boundaryIn({ rings, wrongLine }: BoundaryState) {
  const issue = (message: string) => new CairnError(400, [{ code: 'custom', message, path: ['boundary'] }])
  if (wrongLine !== null) throw issue(texts.cornerWrong(wrongLine + 1))
  const short = firstShortRing(rings)
  if (short !== null) throw issue(texts.fewCorners(short + 1))
  return boundaryOf(rings)
}

/** The error of the boundary, with its line. */
function boundaryError(error: unknown, sent: Ring[] | undefined): string | undefined {
  const issue = error instanceof CairnError ? error.issues.find(({ path }) => path[0] === 'boundary') : undefined
  const line = sent && issue && issue.path.length > 2 ? lineAt(sent, issue.path.slice(2)) : null
  return issue && line !== null ? texts.inLine(line + 1, issue.message) : issue?.message
}

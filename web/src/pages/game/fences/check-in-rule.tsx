import type { Fence, FenceCheckInRuleInput } from '@cairn/sdk'
import { Checkbox, NumberInput, Select } from '@mantine/core'
import { messages } from '../../../messages/index.ts'

const texts = messages.game.fences

/** The check-in rule of a fence as form values. `once` is kept as text; a number of seconds stays as it is. */
export type CheckInFields = { isAllowed: boolean; once: string; requireProof: boolean; points: string | number }

export const checkInFieldsOf = (fence: Fence | undefined): CheckInFields => ({
  isAllowed: Boolean(fence?.checkIn),
  once: String(fence?.checkIn?.once ?? 'ever'),
  requireProof: Boolean(fence?.checkIn?.requireProof),
  points: fence?.checkIn?.award?.points ?? '',
})

/** The rule of these fields. What the form does not show stays as it is. */
export function checkInOf({ isAllowed, once, requireProof, points }: CheckInFields, fence: Fence | undefined) {
  if (!isAllowed) return null
  const before = fence?.checkIn
  const often = once === 'ever' || once === 'day' ? once : Number(once)
  const award = points === '' ? null : { ...before?.award, points: Number(points) }
  return { ...before, once: often, requireProof, award } as FenceCheckInRuleInput
}

/** Whether players can check in, how often, and for how many points. */
export function CheckInRule({
  fields,
  onChange,
}: {
  fields: CheckInFields
  onChange: (fields: CheckInFields) => void
}) {
  const { isAllowed, once, requireProof, points } = fields
  const choices = Object.entries(texts.onces).map(([value, label]) => ({ value, label }))
  if (!choices.some(({ value }) => value === once)) choices.push({ value: once, label: texts.onceSeconds(once) })
  return (
    <>
      <Checkbox
        label={texts.allowCheckIns}
        checked={isAllowed}
        onChange={({ currentTarget: { checked } }) => onChange({ ...fields, isAllowed: checked })}
      />
      {isAllowed && (
        <>
          <Select
            label={texts.once}
            data={choices}
            value={once}
            allowDeselect={false}
            onChange={(value) => onChange({ ...fields, once: value ?? 'ever' })}
          />
          <Checkbox
            label={texts.requireProof}
            description={texts.requireProofHelp}
            checked={requireProof}
            onChange={({ currentTarget: { checked } }) => onChange({ ...fields, requireProof: checked })}
          />
          <NumberInput
            label={texts.points}
            description={texts.pointsHelp}
            value={points}
            onChange={(value) => onChange({ ...fields, points: value })}
            min={0}
          />
        </>
      )}
    </>
  )
}

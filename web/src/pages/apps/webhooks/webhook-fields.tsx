import type { EventType } from '@cairn/sdk'
import { Checkbox, TextInput } from '@mantine/core'
import { messages } from '../../../messages/index.ts'
import classes from './webhooks.module.css'

const texts = messages.app.hooks
/** Every event type, in the order of the form. One that is missing does not compile. */
const ORDER: Record<EventType, number> = {
  'player.created': 1,
  'player.updated': 2,
  'player.deleted': 3,
  'score.updated': 4,
  'game_session.created': 5,
  'game_session.completed': 6,
  'scan.completed': 7,
  'scan.failed': 8,
  'csv_upload.completed': 9,
  'csv_upload.failed': 10,
  'file.converted': 11,
  'file.failed': 12,
  'app_config.updated': 13,
  'season.ended': 14,
  'fence.entered': 15,
  'fence.exited': 16,
  'fence.dwelled': 17,
  'check_in.accepted': 18,
  'check_in.held': 19,
  'check_in.rejected': 20,
  'score.held': 21,
  'score.reviewed': 22,
  'gcp_photo.checked': 23,
  'alert.opened': 24,
  'alert.ended': 25,
}
/** What an event is about: the part of its type before the point. */
type Subject = EventType extends `${infer Name}.${string}` ? Name : never
/** The name of each subject, in the order of the form. One that is missing in `eventGroups` does not compile. */
const NAMES: Record<Subject, string> = texts.eventGroups
const TYPES = (Object.keys(ORDER) as EventType[]).sort((a, b) => ORDER[a] - ORDER[b])
const GROUPS = Object.entries(NAMES).map(([subject, name]) => ({
  name,
  types: TYPES.filter((type) => type.startsWith(`${subject}.`)),
}))

export type WebhookFields = { url: string; description: string; eventTypes: EventType[] }
/** The events most games need first. */
export const NEW_WEBHOOK: WebhookFields = { url: '', description: '', eventTypes: ['player.created', 'score.updated'] }

/** Form fields of a webhook. @param wrong error messages by field */
export function WebhookFieldInputs({
  fields,
  set,
  wrong,
}: {
  fields: WebhookFields
  set: (change: Partial<WebhookFields>) => void
  wrong: Partial<Record<string, string>>
}) {
  return (
    <>
      <TextInput
        label={texts.address}
        description={texts.addressText}
        type="url"
        required
        data-autofocus
        value={fields.url}
        error={wrong.url}
        onChange={({ currentTarget: { value } }) => set({ url: value })}
      />
      <TextInput
        label={texts.description}
        value={fields.description}
        error={wrong.description}
        onChange={({ currentTarget: { value } }) => set({ description: value })}
      />
      <Checkbox.Group
        label={texts.eventTypes}
        error={wrong.eventTypes}
        value={fields.eventTypes}
        onChange={(types) => set({ eventTypes: types as EventType[] })}
      >
        <div className={classes.types}>
          {GROUPS.map(({ name, types }) => (
            <fieldset key={name}>
              <legend>{name}</legend>
              {types.map((type) => (
                <Checkbox key={type} value={type} label={<code>{type}</code>} />
              ))}
            </fieldset>
          ))}
        </div>
      </Checkbox.Group>
    </>
  )
}

import type { Zone } from '@cairn/sdk'
import { Select, Textarea, TextInput } from '@mantine/core'
import { messages } from '../../../messages/index.ts'

const texts = messages.map.form

type Field = { value: string; onChange: (text: string) => void; error: string | undefined }

export const TitleField = ({ value, onChange, error }: Field) => (
  <TextInput
    label={texts.title}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    error={error}
  />
)

export const DescriptionField = ({ value, onChange, error }: Field) => (
  <Textarea
    label={texts.description}
    autosize
    minRows={2}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    error={error}
  />
)

type ZoneFieldProps = {
  zones: Zone[]
  value: string | null
  onChange: (id: string | null) => void
  error: string | undefined
}

/** An optional zone. */
export const ZoneField = ({ zones, value, onChange, error }: ZoneFieldProps) => (
  <Select
    label={texts.zone}
    placeholder={texts.noZone}
    data={zones.map(({ id, title }) => ({ value: String(id), label: title }))}
    value={value}
    onChange={onChange}
    clearable
    searchable
    limit={50}
    error={error}
  />
)

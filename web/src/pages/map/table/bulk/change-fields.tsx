import type { Pin, Zone } from '@cairn/sdk'
import { Select } from '@mantine/core'
import { messages } from '../../../../messages/index.ts'
import type { Change } from './changes.ts'

const texts = messages.map.table.bulk
const NO_ZONE = 'none'

type Props = {
  change: Change
  onChange: (change: Change) => void
  zones: Zone[]
  has: { pins: boolean; gcps: boolean }
}

/** What is to be changed of several points. An empty field leaves it as it is. */
export function ChangeFields({ change, onChange, zones, has }: Props) {
  const { visibility, contentType, zoneId, tag } = change
  const field = (
    label: string,
    name: keyof Change,
    value: string | null | undefined,
    data: { value: string; label: string }[],
    read: (value: string) => Change = (value) => ({ [name]: value }),
  ) => (
    <Select
      label={label}
      placeholder={texts.unchanged}
      data={data}
      value={value ?? null}
      clearable
      searchable={data.length > 12}
      limit={50}
      onChange={(value) => {
        const { [name]: _, ...others } = change
        onChange(value === null ? others : { ...others, ...read(value) })
      }}
    />
  )
  const options = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }))
  const zoneOptions = [
    { value: NO_ZONE, label: texts.noZone },
    ...zones.map(({ id, title }) => ({ value: String(id), label: title })),
  ]
  return (
    <>
      {has.pins && (
        <>
          {field(texts.visibility, 'visibility', visibility, options(messages.map.visibilities), (value) => ({
            visibility: value as Pin['visibility'],
          }))}
          {field(texts.zone, 'zoneId', zoneId === null ? NO_ZONE : zoneId?.toString(), zoneOptions, (value) => ({
            zoneId: value === NO_ZONE ? null : Number(value),
          }))}
          {field(texts.content, 'contentType', contentType, options(messages.map.contents), (value) => ({
            contentType: value as Pin['contentType'],
          }))}
        </>
      )}
      {has.gcps && field(texts.tag, 'tag', tag, options(texts.tags))}
    </>
  )
}

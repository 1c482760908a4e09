import { ActionIcon, TextInput } from '@mantine/core'
import { IconCurrentLocation, IconPin } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Place } from '../../map/geodesic.ts'
import { words } from '../../words/index.ts'
import { placeIn, placeText } from './place-text.ts'

const texts = words.map.place

type Props = {
  label: string
  place: Place | null
  onPlace: (place: Place) => void
  /** Whether presses on the map give the place, and the way to switch that. */
  picking?: { isOn: boolean; onChange: (isOn: boolean) => void }
  error?: string | undefined
  hideLabel?: boolean
  after?: ReactNode
}

/** Latitude and longitude in one field, as surveys write them. What is written counts on Enter, or when the field is left. */
export function PlaceField({ label, place, onPlace, picking, error, hideLabel, after }: Props) {
  const [text, setText] = useState(place ? placeText(place) : '')
  const [isWrong, setIsWrong] = useState(false)
  const shown = place ? placeText(place) : ''
  useEffect(() => {
    setText(shown)
    setIsWrong(false)
  }, [shown])
  const take = () => {
    if (text === shown) return setIsWrong(false)
    const written = placeIn(text)
    setIsWrong(written === null && text.trim() !== '')
    if (written) onPlace(written)
  }
  return (
    <TextInput
      label={hideLabel ? undefined : label}
      aria-label={hideLabel ? label : undefined}
      placeholder={texts.example}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take()
      }}
      error={isWrong ? texts.wrong : error}
      classNames={{ input: 'mono' }}
      leftSection={<IconCurrentLocation size={16} aria-hidden />}
      rightSectionWidth={after ? 64 : 34}
      rightSection={
        <>
          {after}
          {picking && (
            <ActionIcon
              size={28}
              aria-label={texts.pick}
              title={texts.pick}
              aria-pressed={picking.isOn}
              variant={picking.isOn ? 'light' : 'subtle'}
              onClick={() => picking.onChange(!picking.isOn)}
            >
              <IconPin size={16} aria-hidden />
            </ActionIcon>
          )}
        </>
      }
    />
  )
}

import { ActionIcon, TextInput } from '@mantine/core'
import { IconCurrentLocation, IconPin } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Place } from '../../../map/geodesic.ts'
import { messages } from '../../../messages/index.ts'
import { formatPlace, parsePlace } from './coordinates.ts'

const texts = messages.map.place

type Props = {
  label: string
  place: Place | null
  onPlace: (place: Place) => void
  /** Whether map clicks set the coordinates. */
  picking?: { isOn: boolean; onChange: (isOn: boolean) => void }
  error?: string | undefined
  hideLabel?: boolean
  after?: ReactNode
}

/** Latitude and longitude in one field. Input is applied on Enter or blur. Invalid input prevents form submission. */
export function CoordinatesField({ label, place, onPlace, picking, error, hideLabel, after }: Props) {
  const [text, setText] = useState(place ? formatPlace(place) : '')
  const [isWrong, setIsWrong] = useState(false)
  const visible = place ? formatPlace(place) : ''
  useEffect(() => {
    setText(visible)
    setIsWrong(false)
  }, [visible])
  const written = parsePlace(text)
  const isNone = text !== visible && written === null && (place !== null || text.trim() !== '')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.setCustomValidity(isNone ? texts.wrong : ''), [isNone])
  const take = () => {
    setIsWrong(isNone)
    if (text !== visible && written) onPlace(written)
  }
  return (
    <TextInput
      ref={input}
      label={hideLabel ? undefined : label}
      aria-label={hideLabel ? label : undefined}
      placeholder={texts.example}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={take}
      onInvalid={(event) => {
        // The error is shown below the field.
        event.preventDefault()
        setIsWrong(true)
        event.currentTarget.focus()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take()
      }}
      error={isWrong && isNone ? texts.wrong : error}
      classNames={{ input: 'mono' }}
      leftSection={<IconCurrentLocation size={16} aria-hidden />}
      rightSectionWidth={after ? 'calc(2 * max(1.875rem, var(--touch)))' : 'max(2.125rem, var(--touch))'}
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

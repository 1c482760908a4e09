import { type ClipboardEvent, useState } from 'react'
import { messages } from '../../../messages/index.ts'

const texts = messages.welcome.place

/** Coordinates in two fields: typed, pasted together, or read from the browser. */
export function useCoordinates() {
  const [fields, setFields] = useState({ latitude: '', longitude: '' })
  const [checks, setChecks] = useState(0)
  const [isAsking, setIsAsking] = useState(false)
  const [isRefused, setIsRefused] = useState(false)
  const latitude = degrees(fields.latitude, 90)
  const longitude = degrees(fields.longitude, 180)
  return {
    fields,
    point: latitude !== undefined && longitude !== undefined ? { latitude, longitude } : undefined,
    wrong: {
      ...(checks > 0 && latitude === undefined ? { latitude: texts.latitudeWrong } : {}),
      ...(checks > 0 && longitude === undefined ? { longitude: texts.longitudeWrong } : {}),
    },
    /** Number of validations, to show errors only after the first one. */
    checks,
    isAsking,
    isRefused,
    set: (name: keyof typeof fields, value: string) => setFields({ ...fields, [name]: value }),
    check() {
      setChecks(checks + 1)
      return latitude !== undefined && longitude !== undefined
    },
    /** Fills in both fields, to a decimetre. */
    put: ({ latitude, longitude }: { latitude: number; longitude: number }) =>
      setFields({ latitude: latitude.toFixed(6), longitude: longitude.toFixed(6) }),
    /** Pastes both values at once. */
    paste(event: ClipboardEvent) {
      const both = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(event.clipboardData.getData('text'))
      if (!both) return
      event.preventDefault()
      setFields({ latitude: both[1]!, longitude: both[2]! })
    },
    askBrowser() {
      setIsAsking(true)
      setIsRefused(false)
      navigator.geolocation.getCurrentPosition(
        ({ coords }) => {
          setFields({ latitude: coords.latitude.toFixed(6), longitude: coords.longitude.toFixed(6) })
          setIsAsking(false)
        },
        () => {
          setIsRefused(true)
          setIsAsking(false)
        },
        { enableHighAccuracy: true, timeout: 20_000 },
      )
    },
  }
}

/** @returns undefined unless the text is a number of at most `most` degrees */
function degrees(text: string, most: number): number | undefined {
  const value = text.trim() === '' ? Number.NaN : Number(text.replace('−', '-').replace(',', '.'))
  return Math.abs(value) <= most ? value : undefined
}

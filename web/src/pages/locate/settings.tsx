import { Button, NumberInput } from '@mantine/core'
import { IconCurrentLocation } from '@tabler/icons-react'
import { useState } from 'react'
import { Panel } from '../../components/layout/panel.tsx'
import type { Place } from '../../map/geodesic.ts'
import { messages } from '../../messages/index.ts'
import { CoordinatesField } from '../map/editor/coordinates-field.tsx'
import classes from './locate.module.css'

const texts = messages.locate.settings
const FOCAL_KEY = 'cairn-focal-length-35'
const DEFAULT_FOCAL = 28
const [MIN_RADIUS, MAX_RADIUS] = [10, 2000]

type Settings = ReturnType<typeof useLocateSettings>

/** About where the camera is, and its focal length, which this browser keeps. */
export function useLocateSettings() {
  const [place, setPlace] = useState<Place | null>(null)
  const [radius, setRadius] = useState(200)
  const [focalLength35, setFocal] = useState(() => Number(localStorage.getItem(FOCAL_KEY)) || DEFAULT_FOCAL)
  return {
    place,
    setPlace,
    radius,
    setRadius,
    near: place && { ...place, radius },
    focalLength35,
    setFocal(millimetres: number) {
      setFocal(millimetres)
      localStorage.setItem(FOCAL_KEY, String(millimetres))
    },
  }
}

/** The form of these settings. They apply to the next image. */
export function LocateSettings({ settings, error }: { settings: Settings; error: string | undefined }) {
  const { place, setPlace, radius, setRadius, focalLength35, setFocal } = settings
  const [isRefused, setIsRefused] = useState(false)
  const askDevice = () =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setIsRefused(false)
        setPlace({ lat: coords.latitude, lon: coords.longitude })
        setRadius(Math.min(MAX_RADIUS, Math.max(200, Math.ceil(3 * coords.accuracy))))
      },
      () => setIsRefused(true),
      { enableHighAccuracy: true, timeout: 20_000 },
    )
  return (
    <Panel title={texts.title} className={classes.settings!}>
      <div className="stack">
        <CoordinatesField label={texts.place} place={place} onPlace={setPlace} error={error} />
        <div>
          <Button size="xs" leftSection={<IconCurrentLocation size={14} aria-hidden />} onClick={askDevice}>
            {texts.device}
          </Button>
          {isRefused && (
            <p className="small dim" role="alert">
              {texts.deviceRefused}
            </p>
          )}
        </div>
        <NumberInput
          label={texts.radius}
          suffix={texts.radiusUnit}
          min={MIN_RADIUS}
          max={MAX_RADIUS}
          clampBehavior="blur"
          value={radius}
          onChange={(value) => Number(value) > 0 && setRadius(Number(value))}
        />
        <NumberInput
          label={texts.focal}
          description={texts.focalHow}
          suffix={texts.focalUnit}
          min={8}
          max={300}
          allowDecimal={false}
          value={focalLength35}
          onChange={(value) => Number(value) >= 8 && setFocal(Math.min(300, Number(value)))}
        />
      </div>
    </Panel>
  )
}
